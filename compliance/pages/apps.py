from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "compliance.pages"
    label = "desk"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.pages import help_page, table_state_consumer

        table_state_consumer.register_table_states()
        register_items(NavItem("Home", "desk:home", 0))
        help_pages.register_pages(help_page.PAGE)
