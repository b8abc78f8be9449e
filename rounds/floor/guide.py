"""The help page of the floor, and the facts that it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def catalogue() -> Mapping[str, Any]:
    from compliance.accounts.roles import Role
    from rounds.floor.facts import FACTS
    from rounds.floor.kinds import EVERY_KIND
    from rounds.floor.reported import READERS
    from rounds.floor.standing import MAY_REGISTER, MAY_STATE_FACTS

    subjects = {"casino": "Of the casino", "table": "Of a table", "terminal": "Of a terminal"}
    return {
        "subjects": [
            (words, [kind for kind in FACTS.values() if kind.subject == subject]) for subject, words in subjects.items()
        ],
        "kinds": EVERY_KIND,
        "reports": sorted(READERS),
        "staters": [role.label for role in Role if role in MAY_STATE_FACTS],
        "registrars": [role.label for role in Role if role in MAY_REGISTER],
    }


PAGE = HelpPage(
    "floor",
    "The floor",
    "Tables, what held there when, and the controllers that speak for them.",
    "Supervisors, compliance officers, inspectors",
    order=35,
    facts=catalogue,
)
