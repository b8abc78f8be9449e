from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "compliance.desk"
    label = "desk"

    def ready(self) -> None:
        from compliance.desk import guide, standing
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        standing.register()
        register(NavItem("Home", "desk:home", 0))
        help.register(guide.PAGE)
