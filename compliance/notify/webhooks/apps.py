from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "compliance.notify.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.notify.webhooks import entry_kinds, health, help_page

        entry_kinds.register_kinds()
        health.register_checks()
        register_items(NavItem("Webhooks", "webhooks:casinos", 75, covers=r"/casinos/[^/]+/webhooks/", group="set-up"))
        help_pages.register_pages(help_page.PAGE)
