from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "compliance.audit"
    label = "audit"

    def ready(self) -> None:
        from compliance.audit import guide, health, kinds
        from compliance.web import help, navigation

        kinds.register_records()
        health.register_checks()
        help.register(guide.PAGE, guide.ANALYSIS)
        navigation.register(
            navigation.NavItem("Findings", "audit:casinos", 30, covers=r"/casinos/[^/]+/findings/", group="records")
        )
