from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class EvidenceConfig(AppConfig):
    name = "compliance.evidence"
    label = "evidence"

    def ready(self) -> None:
        from compliance.evidence.models import EXPORTED, Bundle
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from rounds.ledger.recorded import register_record

        register_record(EXPORTED.name, Bundle.recorded_between)
        register(NavItem("Ledger", "evidence:ledgers", 60, covers=r"/casinos/[^/]+/ledger/", group="evidence"))
        help.register(
            help.HelpPage(
                "evidence",
                "Taking evidence away",
                "Bundles, proofs and checkpoints, and how to check them at home.",
                "Inspectors, and anybody who holds evidence",
                order=62,
                facts=verifier_facts,
            )
        )


def verifier_facts() -> Mapping[str, Any]:
    from compliance.evidence.models import KEPT_FOR
    from compliance.evidence.services import MOST_CHOSEN, MOST_ENTRIES
    from rounds.ledger.verifier import VERIFIER

    return {
        "verifier_sha256": VERIFIER.sha256,
        "kept_days": KEPT_FOR.days,
        "most_entries": MOST_ENTRIES,
        "most_chosen": MOST_CHOSEN,
    }
