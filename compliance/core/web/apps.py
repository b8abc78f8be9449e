from django.apps import AppConfig
from django.core import checks


class WebConfig(AppConfig):
    name = "compliance.core.web"
    label = "web"

    def ready(self) -> None:
        from compliance.core.web import access, health, help_pages
        from compliance.core.web.jobs import wake
        from compliance.core.web.ui import navigation

        checks.register(access.check_every_view_has_a_rule, checks.Tags.urls)
        checks.register(navigation.check_every_item_has_a_view, checks.Tags.urls)
        wake.stamp_published_tasks()
        health.register_own_checks()
        help_pages.register_own_pages()
        navigation.register_items(
            navigation.NavItem("Help", "web:help", 10, place="footer"),
            navigation.NavItem("Status of the service", "web:status", 20, place="footer"),
            navigation.NavItem("Demo mailbox", "web:mailbox", 30, place="footer"),
        )
