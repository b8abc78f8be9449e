from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "compliance.reports"
    label = "reports"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.health import register_check
        from compliance.core.web.mail.outbox import register_purposes
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.reports import signing_certificates
        from compliance.reports.jobs.emails import PURPOSE
        from compliance.reports.pages import help_page

        register_items(
            NavItem("Dashboard", "reports:dashboards", 57, covers=r"/casinos/[^/]+/dashboard/", group="evidence")
        )
        register_items(NavItem("Reports", "reports:casinos", 58, covers=r"/casinos/[^/]+/reports/", group="evidence"))
        register_purposes(PURPOSE)
        register_check("report key", signing_certificates.check_signing_key, is_vital=False)
        help_pages.register_pages(help_page.PAGE, help_page.SIGNED_FILES)
