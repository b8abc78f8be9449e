from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class RecoveryConfig(AppConfig):
    name = "compliance.transparency.recovery"
    label = "restores"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui import banners
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.transparency.recovery.banners import read_only_banners
        from compliance.transparency.recovery.models import EpochBegun
        from rounds.ledger import entry_kinds as ledger_kinds
        from rounds.ledger import register_rows

        register_rows(ledger_kinds.EPOCH, EpochBegun.rows_between)
        banners.register_provider(read_only_banners)
        register_items(NavItem("Restores", "restores:logs", 15, place="footer"))
        help_pages.register_pages(
            help_pages.HelpPage(
                "restores",
                "After a restore",
                "Why a log is read-only then, who says what was lost, and how witnesses and verifiers go on.",
                "Inspectors, and those who run the service",
                order=92,
                facts=help_facts,
            )
        )


def help_facts() -> Mapping[str, Any]:
    from rounds.ledger import maintenance, read_only

    return {"reasons": list(maintenance.HALT_REASONS.values()), "come_back_seconds": read_only.RETRY_AFTER_SECONDS}
