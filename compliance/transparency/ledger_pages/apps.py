from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class LedgerPagesConfig(AppConfig):
    name = "compliance.transparency.ledger_pages"
    label = "evidence"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items

        register_items(NavItem("Ledger", "evidence:ledgers", 60, covers=r"/casinos/[^/]+/ledger/", group="evidence"))
        help_pages.register_pages(
            help_pages.HelpPage(
                "evidence",
                "Taking evidence away",
                "Bundles, proofs and checkpoints, and how to check them at home.",
                "Inspectors, and anybody who holds evidence",
                order=62,
                facts=help_facts,
            )
        )


def help_facts() -> Mapping[str, Any]:
    from compliance.transparency.ledger_pages.models import RETENTION
    from compliance.transparency.ledger_pages.services import MAX_CHOSEN, MAX_ENTRIES
    from rounds.transparency_log import offline

    return {
        "verifier_sha256": offline.BUNDLE_VERIFIER.sha256,
        "kept_days": RETENTION.days,
        "most_entries": MAX_ENTRIES,
        "most_chosen": MAX_CHOSEN,
    }
