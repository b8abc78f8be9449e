from django.apps import AppConfig
from django.core import checks


class WebConfig(AppConfig):
    name = "compliance.web"
    label = "web"

    def ready(self) -> None:
        from compliance.web import access, bell, health, help, navigation

        checks.register(access.check_every_view_has_a_rule, checks.Tags.urls)
        checks.register(navigation.check_every_item_has_a_view, checks.Tags.urls)
        bell.stamp_published_tasks()
        health.register_own_checks()
        help.register_own_pages()
        navigation.register(
            navigation.NavItem("Help", "web:help", 10, place="footer"),
            navigation.NavItem("Status of the service", "web:status", 20, place="footer"),
            navigation.NavItem("Demo mailbox", "web:mailbox", 30, place="footer"),
        )
