from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "compliance.desk"
    label = "desk"

    def ready(self) -> None:
        from compliance.web.navigation import NavItem, register

        register(NavItem("Home", "desk:home", 0))
