from django.apps import AppConfig


class RulebookConfig(AppConfig):
    name = "rounds.rulebook"
    label = "rulebook"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from rounds.ledger import export, register_projection
        from rounds.rulebook.entry_kinds import PROPOSED, RULED
        from rounds.rulebook.pages import help_page
        from rounds.rulebook.selectors import approved_packs_before
        from rounds.rulebook.versions.verify import verify_rows

        register_items(
            NavItem(
                "Calculator", "rulebook:calculator-casinos", 35, covers=r"/casinos/[^/]+/calculator/", group="rules"
            ),
            NavItem("Rulebook", "rulebook:casinos", 40, covers=r"/casinos/[^/]+/rulebook/", group="rules"),
        )
        help_pages.register_pages(help_page.SETTLEMENT_PAGE, help_page.VERSIONS_PAGE, help_page.CALCULATOR_PAGE)
        register_projection("rule packs and documents", [PROPOSED, RULED], verify_rows)
        export.register_rule_pack_source("rulebook", approved_packs_before)
