from django.apps import AppConfig


class TermsConfig(AppConfig):
    name = "promotions.terms"
    label = "terms"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.mail.outbox import register_purposes
        from compliance.core.web.ui.navigation import NavItem, register_items
        from promotions.terms import corrections, help_page
        from promotions.terms.emails import PURPOSE
        from promotions.terms.entry_kinds import TERMS
        from promotions.terms.verify import verify_rows
        from rounds.ledger import register_projection

        register_purposes(PURPOSE)
        register_projection("dates of promotions", [TERMS], verify_rows)
        corrections.register()
        register_items(
            NavItem("Promotions", "terms:casinos", 45, covers=r"/casinos/[^/]+/promotions/", group="records")
        )
        help_pages.register_pages(help_page.PAGE)
