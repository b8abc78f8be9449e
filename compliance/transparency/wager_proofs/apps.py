from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class WagerProofsConfig(AppConfig):
    name = "compliance.transparency.wager_proofs"
    label = "proofs"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.transparency.wager_proofs.entry_kinds import WAGERS_COMMITTED
        from compliance.transparency.wager_proofs.verify import verify_rows
        from rounds.intake.entry_kinds import ROUND
        from rounds.ledger import register_projection

        register_projection("committed wagers", {ROUND, WAGERS_COMMITTED}, verify_rows)
        register_items(
            NavItem(
                "Proofs for patrons", "proofs:casinos", 64, covers=r"/casinos/[^/]+/wager-proofs/", group="evidence"
            )
        )
        help_pages.register_pages(
            help_pages.HelpPage(
                "wager-proofs",
                "Your own wager, proved",
                "What the sheet about one wager proves, what it does not, and how to check it.",
                "Patrons, and those who give them the sheet",
                order=64,
                facts=help_facts,
            )
        )


def help_facts() -> Mapping[str, Any]:
    from compliance.transparency.wager_proofs.consumer import MAX_ENTRIES
    from compliance.transparency.wager_proofs.offline.single_file_verifier import WAGER_VERIFIER
    from compliance.transparency.wager_proofs.proof_file.wager_tree import MIN_LEAVES

    return {"fewest_places": MIN_LEAVES, "most_entries": MAX_ENTRIES, "verifier_sha256": WAGER_VERIFIER.sha256}
