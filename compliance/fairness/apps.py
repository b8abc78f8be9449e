from django.apps import AppConfig


class FairnessConfig(AppConfig):
    name = "compliance.fairness"
    label = "fairness"

    def ready(self) -> None:
        from compliance.fairness import guide, kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_records()
        register(NavItem("Fairness", "fairness:casinos", 31, covers=r"/casinos/[^/]+/fairness/", group="records"))
        help.register(guide.PAGE)
