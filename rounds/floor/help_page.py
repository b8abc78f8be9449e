"""Help page of the floor, with the lists that it takes from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def page_context() -> Mapping[str, Any]:
    from compliance.core.accounts.roles import Role
    from rounds.floor import entry_kinds
    from rounds.floor.fact_catalogue import FACT_KINDS
    from rounds.floor.permissions import MAY_REGISTER, MAY_STATE_FACTS
    from rounds.ledger import entry_kinds as ledger_kinds

    subjects = {"casino": "Of the casino", "table": "Of a table", "terminal": "Of a terminal"}
    return {
        "subjects": [
            (words, [kind for kind in FACT_KINDS.values() if kind.subject == subject])
            for subject, words in subjects.items()
        ],
        "kinds": [kind for kind in ledger_kinds.registered_kinds() if kind.owner == entry_kinds.__name__],
        "staters": [role.label for role in Role if role in MAY_STATE_FACTS],
        "registrars": [role.label for role in Role if role in MAY_REGISTER],
    }


PAGE = HelpPage(
    "floor",
    "The floor",
    "Tables, what held there when, and the controllers that speak for them.",
    "Supervisors, compliance officers, inspectors",
    order=35,
    facts=page_context,
)
