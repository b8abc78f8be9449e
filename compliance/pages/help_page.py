"""Help page of the live floor, with the figures that it takes from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def live_floor_facts() -> Mapping[str, Any]:
    from compliance.core.accounts.roles import Role
    from compliance.pages.floor_status import REFRESH_SECONDS
    from compliance.pages.forms import ROUND_COUNTS
    from rounds.floor.permissions import MAY_READ
    from rounds.intake.models.feed import SILENT_AFTER

    return {
        "readers": [role.label for role in Role if role in MAY_READ],
        "renewed_seconds": REFRESH_SECONDS,
        "silent_seconds": int(SILENT_AFTER.total_seconds()),
        "recalled": ROUND_COUNTS,
    }


PAGE = HelpPage(
    "floor-live",
    "The floor as it is played",
    "Every table at a glance, its last rounds, everything recorded of it, and one round in full.",
    "Supervisors, shift managers, compliance officers, inspectors",
    order=34,
    facts=live_floor_facts,
)
