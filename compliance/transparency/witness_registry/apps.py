from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class WitnessRegistryConfig(AppConfig):
    name = "compliance.transparency.witness_registry"
    label = "witnesses"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.transparency.witness_registry import health

        health.register_checks()
        register_items(
            NavItem("Witnesses", "witnesses:casinos", 61, covers=r"/casinos/[^/]+/witnesses/", group="evidence")
        )
        help_pages.register_pages(
            help_pages.HelpPage(
                "witnesses",
                "Watching a log from outside",
                "What a witness is, how an inspectorate sets one up, and what to do when it disagrees.",
                "Inspectors, and those who run their machines",
                order=63,
                facts=help_facts,
            )
        )


def help_facts() -> Mapping[str, Any]:
    from compliance.transparency.witness_registry.services import MAX_WITNESSES
    from compliance.transparency.witness_registry.witness_status import AUDITED_LAG_LIMIT, LAG_LIMIT
    from rounds.transparency_log import formats

    return {
        "behind_minutes": int(LAG_LIMIT.total_seconds() // 60),
        "audited_behind_hours": int(AUDITED_LAG_LIMIT.total_seconds() // 3600),
        "most_witnesses": MAX_WITNESSES,
        "reasons": list(formats.DISAGREEMENT_REASONS.values()),
    }
