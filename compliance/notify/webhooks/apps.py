from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "compliance.notify.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.notify.webhooks import health, help_page, verify
        from compliance.notify.webhooks.entry_kinds import KIND_BY_ACT
        from compliance.notify.webhooks.states import EndpointAct
        from rounds.ledger import register_projection

        register_projection("how webhooks stand", [KIND_BY_ACT[EndpointAct.REGISTERED]], verify.verify_rows)
        health.register_checks()
        register_items(NavItem("Webhooks", "webhooks:casinos", 75, covers=r"/casinos/[^/]+/webhooks/", group="set-up"))
        help_pages.register_pages(help_page.PAGE)
