"""The help page of signs, notices and closures, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.accounts.roles import Role
    from compliance.signs.clock import REFRESH_SECONDS, SILENT_AFTER
    from compliance.signs.standing import SUPERVISORS

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
    facts=facts,
)
