from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class ProofsConfig(AppConfig):
    name = "compliance.proofs"
    label = "proofs"

    def ready(self) -> None:
        from compliance.proofs import kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_records()
        register(
            NavItem(
                "Proofs for patrons", "proofs:casinos", 64, covers=r"/casinos/[^/]+/wager-proofs/", group="evidence"
            )
        )
        help.register(
            help.HelpPage(
                "wager-proofs",
                "Your own wager, proved",
                "What the sheet about one wager proves, what it does not, and how to check it.",
                "Patrons, and those who give them the sheet",
                order=64,
                facts=facts,
            )
        )


def facts() -> Mapping[str, Any]:
    from compliance.proofs.committing import MOST_ENTRIES
    from compliance.proofs.tree import FEWEST_PLACES
    from compliance.proofs.verifier import VERIFIER

    return {"fewest_places": FEWEST_PLACES, "most_entries": MOST_ENTRIES, "verifier_sha256": VERIFIER.sha256}
