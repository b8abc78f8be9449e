"""The help page of the live floor, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.accounts.roles import Role
    from compliance.desk.forms import RECALLED
    from compliance.desk.views.places import RENEWED_SECONDS
    from rounds.floor.standing import MAY_READ
    from rounds.intake.models.feed import SILENT_AFTER

    return {
        "readers": [role.label for role in Role if role in MAY_READ],
        "renewed_seconds": RENEWED_SECONDS,
        "silent_seconds": int(SILENT_AFTER.total_seconds()),
        "recalled": RECALLED,
    }


PAGE = HelpPage(
    "floor-live",
    "The floor as it is played",
    "Every table at a glance, its last rounds, everything recorded of it, and one round in full.",
    "Supervisors, shift managers, compliance officers, inspectors",
    order=34,
    facts=facts,
)
