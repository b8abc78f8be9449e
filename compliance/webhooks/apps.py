from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "compliance.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from compliance.webhooks import guide, health, kinds

        kinds.register_kinds()
        health.register_checks()
        register(NavItem("Webhooks", "webhooks:casinos", 75, covers=r"/casinos/[^/]+/webhooks/", group="set-up"))
        help.register(guide.PAGE)
