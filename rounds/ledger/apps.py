from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "rounds.ledger"
    label = "ledger"

    def ready(self) -> None:
        from compliance.web import help
        from rounds.ledger import epoch_rows, health, mentions

        health.register_checks()
        mentions.register()
        epoch_rows.register()
        help.register(
            help.HelpPage(
                "ledger",
                "The ledger",
                "How records are kept, verified and taken away; what finds tampering.",
                "Inspectors, and those who run the service",
                order=60,
                facts=attacks_and_kinds,
            )
        )


def attacks_and_kinds() -> Mapping[str, Any]:
    from rounds.ledger.attacks import ATTACKS
    from rounds.ledger.kinds import every_kind

    return {"attacks": ATTACKS, "kinds": every_kind()}
