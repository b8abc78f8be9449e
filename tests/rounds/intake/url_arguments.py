"""URL arguments of intake's pages for tests that request every URL, with a quarantined line and a paper round."""

import json
from typing import Any

from compliance.core.accounts.models import Casino, User
from rounds.floor.services import add_table, register_controller
from rounds.intake.models import PaperRound, Quarantined
from rounds.intake.protocol.examples import BODIES
from tests.compliance.core.accounts.people import LONG_AGO


def intake_url_arguments(casino: Casino) -> dict[str, dict[str, Any]]:
    officer, supervisor = (User.objects.get(email=f"{who}@example.com") for who in ("compl", "csup"))
    here = {"casino": casino.slug}
    refused = {**here, "line": a_refused_line(casino, officer).pk}
    paper = {**here, "paper": a_round_from_paper(casino, supervisor).pk}
    return {
        **dict.fromkeys(("intake:feeds", "intake:quarantine", "intake:paper-rounds", "intake:paper-enter"), here),
        **dict.fromkeys(("intake:quarantined", "intake:quarantined-bytes", "intake:deal-with"), refused),
        **dict.fromkeys(("intake:paper-round", "intake:paper-confirm", "intake:paper-refuse"), paper),
    }


def a_refused_line(casino: Casino, by: User) -> Quarantined:
    controller = register_controller(casino=casino, slug="lost-box", name="Lost box", actor=by, now=LONG_AGO)
    return Quarantined.objects.create(
        log=casino.slug,
        entry_index=10**6,
        casino=casino,
        controller=controller,
        line_number=1,
        line=b"{",
        line_sha256=bytes(32),
        code="not-json",
        sentence="Not JSON.",
        received_at=LONG_AGO,
    )


def a_round_from_paper(casino: Casino, by: User) -> PaperRound:
    table = add_table(casino=casino, slug="on-paper", name="A table on paper", actor=by, now=LONG_AGO)
    return PaperRound.objects.create(
        casino=casino,
        table=table,
        body=json.dumps(BODIES["round"]),
        played_at=LONG_AGO,
        why="Out.",
        entered_by=by,
        entered_at=LONG_AGO,
    )
