"""Help page of signs, notices and closures, with the values it takes from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def help_facts() -> Mapping[str, Any]:
    from compliance.core.accounts.roles import Role
    from compliance.tables.signs.permissions import SUPERVISORS
    from compliance.tables.signs.sign_clock import REFRESH_SECONDS, SILENT_AFTER

    return {
        "supervisors": [role.label for role in Role if role in SUPERVISORS],
        "refresh_seconds": REFRESH_SECONDS,
        "silent_seconds": int(SILENT_AFTER.total_seconds()),
    }


PAGE = HelpPage(
    "signs",
    "Signs, limit changes and closing a table",
    "Raising a minimum, closing a table, the display at the table, and what counts as a sign being up.",
    "Supervisors, shift managers, compliance officers, inspectors",
    order=36,
    facts=help_facts,
)
