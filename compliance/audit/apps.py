from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "compliance.audit"
    label = "audit"

    def ready(self) -> None:
        from compliance.audit import health, verify
        from compliance.audit.pages import help_page
        from compliance.core.web import help_pages
        from compliance.core.web.ui import navigation

        verify.register_verification()
        health.register_checks()
        help_pages.register_pages(help_page.FINDINGS_PAGE)
        navigation.register_items(
            navigation.NavItem("Findings", "audit:casinos", 30, covers=r"/casinos/[^/]+/findings/", group="records")
        )
