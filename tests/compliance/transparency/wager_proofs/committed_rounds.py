"""Rounds at Harbour with committed wagers and a signed checkpoint: the starting point of these tests."""

import json
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django.db import transaction

from compliance.disputes.subject.disputed_entry import DisputedEntry
from compliance.transparency.wager_proofs.consumer import commit_next_rounds
from compliance.transparency.wager_proofs.models import Commitment, Proof
from compliance.transparency.wager_proofs.offline.single_file_verifier import WAGER_VERIFIER
from compliance.transparency.wager_proofs.services import make_proof
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.signing.checkpoints import sign_log
from rounds.ledger.writing.append import append, make_entry
from tests.compliance.disputes.disputed_round import NOW, PLAYED, Floor

LATER = NOW + timedelta(minutes=2)
MINE, _EXAMPLE = BODIES["round"]["wagers"]
# With chips of the table itself.
OTHER = {**_EXAMPLE, "chips": {"colour": "blue", "value": 500}}


def commit_all() -> list[Commitment]:
    while commit_next_rounds(log="harbour", now=LATER):
        pass
    return list(Commitment.objects.filter(log="harbour"))


def wagers(number: int) -> list[dict[str, Any]]:
    return [{**MINE, "id": f"w-{place}"} for place in range(number)]


def record_line(line: dict[str, Any]) -> int:
    with transaction.atomic():
        [receipt] = append("harbour", [make_entry("round", line, table="sb-1")], PLAYED)
    return receipt.index


def record_rounds(number: int) -> None:
    line = {"kind": "round", "table": "sb-1", "at": PLAYED.isoformat(), "body": BODIES["round"]}
    with transaction.atomic():
        append("harbour", [make_entry("round", line, table="sb-1")] * number, PLAYED)


def proved(floor: Floor, subject: DisputedEntry, wager: str = MINE["id"], **said: Any) -> Proof:
    assert subject.read is not None
    return make_proof(round_view=subject.read, wager=wager, **{"actor": floor.sid, "now": LATER, **said})


def committed_and_proved(floor: Floor, wager: str = MINE["id"], **body: Any) -> Proof:
    """A proof in the second of three rounds, so that its path to the root has a neighbour on either side."""
    _, subject, _ = (floor.play(name, **body) for name in ("R-1", "R-2", "R-3"))
    commit_all()
    sign_log("harbour", LATER)
    return proved(floor, subject, wager)


def offline() -> SimpleNamespace:
    """verify_wager.py as shipped: one file that imports none of our modules."""
    own: dict[str, Any] = {"__name__": "verify_wager"}
    exec(compile(WAGER_VERIFIER.content, "verify_wager.py", "exec"), own)  # noqa: S102 - it is our own program
    return SimpleNamespace(**own)


def parts_of(proof: Proof) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(bytes(proof.content))
    return found
