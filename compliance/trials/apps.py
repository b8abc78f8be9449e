from django.apps import AppConfig


class TrialsConfig(AppConfig):
    name = "compliance.trials"
    label = "trials"

    def ready(self) -> None:
        from compliance.trials import guide
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        register(NavItem("What would change?", "trials:casinos", 42, covers=r"/casinos/[^/]+/what-if/", group="rules"))
        help.register(guide.PAGE)
