from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class WitnessesConfig(AppConfig):
    name = "compliance.witnesses"
    label = "witnesses"

    def ready(self) -> None:
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from compliance.witnesses import health, kinds

        kinds.register_kinds()
        health.register_checks()
        register(NavItem("Witnesses", "witnesses:casinos", 61, covers=r"/casinos/[^/]+/witnesses/", group="evidence"))
        help.register(
            help.HelpPage(
                "witnesses",
                "Watching a log from outside",
                "What a witness is, how an inspectorate sets one up, and what to do when it disagrees.",
                "Inspectors, and those who run their machines",
                order=63,
                facts=facts,
            )
        )


def facts() -> Mapping[str, Any]:
    from compliance.witnesses.services import MOST_WITNESSES
    from compliance.witnesses.standing import AUDITED_BEHIND_AFTER, BEHIND_AFTER
    from rounds.ledger.cosignatures import REASONS

    return {
        "behind_minutes": int(BEHIND_AFTER.total_seconds() // 60),
        "audited_behind_hours": int(AUDITED_BEHIND_AFTER.total_seconds() // 3600),
        "most_witnesses": MOST_WITNESSES,
        "reasons": list(REASONS.values()),
    }
