from django.apps import AppConfig


class TermsConfig(AppConfig):
    name = "promotions.terms"
    label = "terms"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from promotions.terms import entry_kinds, help_page

        entry_kinds.register_kinds()
        register_items(
            NavItem("Promotions", "terms:casinos", 45, covers=r"/casinos/[^/]+/promotions/", group="records")
        )
        help_pages.register_pages(help_page.PAGE)
