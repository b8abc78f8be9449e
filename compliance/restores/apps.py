from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class RestoresConfig(AppConfig):
    name = "compliance.restores"
    label = "restores"

    def ready(self) -> None:
        from compliance.restores import kinds
        from compliance.restores.banners import read_only_banners
        from compliance.web import banners, help
        from compliance.web.navigation import NavItem, register

        kinds.register_kinds()
        banners.register(read_only_banners)
        register(NavItem("Restores", "restores:logs", 15, place="footer"))
        help.register(
            help.HelpPage(
                "restores",
                "After a restore",
                "Why a log is read-only then, who says what was lost, and how witnesses and verifiers go on.",
                "Inspectors, and those who run the service",
                order=92,
                facts=facts,
            )
        )


def facts() -> Mapping[str, Any]:
    from rounds.ledger.halting import REASONS
    from rounds.ledger.read_only import COME_BACK_SECONDS

    return {"reasons": list(REASONS.values()), "come_back_seconds": COME_BACK_SECONDS}
