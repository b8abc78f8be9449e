from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "compliance.api"
    label = "inspectorate"

    def ready(self) -> None:
        from compliance.api import help_page
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items

        register_items(
            NavItem("Other systems", "inspectorate:casinos", 74, covers=r"/casinos/[^/]+/tokens/", group="set-up")
        )
        help_pages.register_pages(help_page.PAGE)
