from django.apps import AppConfig


class SignsConfig(AppConfig):
    name = "compliance.tables.signs"
    label = "signs"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.tables.signs import help_page, verify
        from compliance.tables.signs.services import corrections

        corrections.register()
        verify.register_verification()
        register_items(NavItem("Signs", "signs:casinos", 22, covers=r"/casinos/[^/]+/(signs|notices|closures)/"))
        help_pages.register_pages(help_page.PAGE)
