"""A proof at Harbour for the tests that visit every URL. Nothing is signed there, so its row is written directly."""

import json

from compliance.core.accounts.models import Casino, User
from compliance.transparency.wager_proofs.models import Proof, Withdrawal
from compliance.transparency.wager_proofs.offline.verify_wager import WAGER_PROOF_FORMAT
from compliance.transparency.wager_proofs.proof_file.service_statement import service_statement
from compliance.transparency.wager_proofs.proof_file.wager_statements import wager_statements
from rounds.intake.round_view import read_round
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import LONG_AGO


def proof_places(casino: Casino, actor: User) -> dict[str, dict[str, object]]:
    played = read_entries(casino.slug, 0, 10**6, {"round"})[-1]
    wager, says = wager_statements(played.body)[0]
    parts = {
        "format": WAGER_PROOF_FORMAT,
        "log": casino.slug,
        "verifier_key": "",
        "checkpoint": "",
        "wager": {"says": says.decode(), "salt": "", "place": 0, "places": 16, "path": []},
        "round": {
            "entry": played.index,
            "leaf_sha256": "",
            "path": [],
            "place": 0,
            "rounds": 1,
            "path_to_commitment": [],
        },
        "commitment": {"entry": 0, "header": "", "body": "", "path": []},
        "stated": service_statement(read_round(casino, played), wager),
    }
    first, second = (
        Proof.objects.create(
            log=casino.slug,
            entry_index=10**9 + number,
            casino=casino,
            round_index=played.index,
            round="R-1",
            table="sb-1",
            wager=wager,
            code=f"CODE{number}",
            content=json.dumps(parts).encode(),
            content_sha256="",
            by=actor,
            by_name=actor.name,
            at=LONG_AGO,
        )
        for number in range(2)
    )
    Withdrawal.objects.create(
        log=casino.slug,
        entry_index=10**9 + 2,
        proof=second,
        reason="The wrong seat.",
        by=actor,
        by_name=actor.name,
        at=LONG_AGO,
    )
    here: dict[str, object] = {"casino": casino.slug}
    return {
        "proofs:proofs": here,
        "proofs:make": {**here, "index": played.index, "wager": wager},
        **{f"proofs:{name}": {**here, "proof": second.pk} for name in ("proof", "file")},
        **{f"proofs:{name}": {**here, "proof": first.pk} for name in ("sheet", "withdraw")},
    }
