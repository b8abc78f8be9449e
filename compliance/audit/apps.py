from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "compliance.audit"
    label = "audit"

    def ready(self) -> None:
        from compliance.audit import guide, kinds
        from compliance.web import help, navigation

        kinds.register_records()
        help.register(guide.PAGE)
        navigation.register(navigation.NavItem("Findings", "audit:casinos", 30, covers=r"/casinos/[^/]+/findings/"))
