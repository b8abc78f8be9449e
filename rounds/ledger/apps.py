from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class LedgerConfig(AppConfig):
    name = "rounds.ledger"
    label = "ledger"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from rounds.ledger import health, registry
        from rounds.ledger.readers import search_index
        from rounds.ledger.verify import check_epochs

        autodiscover_modules("entry_kinds")
        registry.register_models_of_kinds()
        health.register_checks()
        search_index.register_search_projection()
        check_epochs.register_epochs_projection()
        help_pages.register_pages(
            help_pages.HelpPage(
                "ledger",
                "The ledger",
                "How records are kept, verified and taken away; what finds tampering.",
                "Inspectors, and those who run the service",
                order=60,
                facts=help_facts,
            )
        )


def help_facts() -> Mapping[str, Any]:
    from rounds.ledger.entry_kinds import registered_kinds
    from rounds.ledger.verify.threat_table import THREATS

    return {"attacks": THREATS, "kinds": registered_kinds()}
