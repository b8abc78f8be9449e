"""The help page about withdrawing records, with the kinds and roles that the registry knows."""

from collections.abc import Mapping
from typing import Any

from compliance.core.accounts.roles import Role
from compliance.core.corrections.permissions import SUPERIORS
from compliance.core.corrections.registry import correctable_records
from compliance.core.web.help_pages import HelpPage


def page_context() -> Mapping[str, Any]:
    return {
        "kinds": sorted({record.kind.label for record in correctable_records()}),
        "superiors": [
            (role.label, ", ".join(above.label for above in Role if above in SUPERIORS[role]))
            for role in Role
            if role in SUPERIORS
        ],
    }


PAGE = HelpPage(
    "corrections",
    "Correcting and withdrawing records",
    "What can be withdrawn, by whom, and what happens to a withdrawn record.",
    "Everybody who records something",
    order=36,
    facts=page_context,
)
