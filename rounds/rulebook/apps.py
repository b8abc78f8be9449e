from django.apps import AppConfig


class RulebookConfig(AppConfig):
    name = "rounds.rulebook"
    label = "rulebook"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from rounds.ledger import export, register_kind, register_projection, register_rows
        from rounds.rulebook.models import APPROVED, PROPOSED, RULED, WITHDRAWN, acts_between
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
        register_kind(PROPOSED, "A rule pack with its readings and source document was proposed as a rule version.")
        register_kind(RULED, "An inspector ruled how a clause is read; once approved, this is a rule version.")
        register_kind(APPROVED, "A second person approved a rule version from an instant on.")
        register_kind(WITHDRAWN, "A rule version was withdrawn before it took effect.")
        for kind in (PROPOSED, RULED, APPROVED, WITHDRAWN):
            register_rows(kind, acts_between)
        register_projection("rule packs and documents", [PROPOSED, RULED], verify_rows)
        export.register_rule_pack_source("rulebook", approved_packs_before)
