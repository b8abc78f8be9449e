"""Help page on disputes, and the values it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def page_context() -> Mapping[str, Any]:
    from compliance.disputes.deadlines import WAITS
    from compliance.disputes.ladder.rungs import ladder_of
    from rounds.rulepacks import shipped_packs

    return {
        "ladders": [(pack.title, ladder_of(pack)) for pack in shipped_packs()],
        "waits": list(WAITS.values()),
    }


PAGE = HelpPage(
    "disputes",
    "Disputes",
    "Logging a patron's dispute, deciding it step by step, and the complaint to an inspector.",
    "Supervisors, shift managers, compliance officers, inspectors",
    order=45,
    facts=page_context,
)
