from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "compliance.reports"
    label = "reports"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.health import register_check
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.reports import signing_certificates
        from compliance.reports.models import (
            KEY,
            MADE,
            RESCHEDULED,
            SCHEDULED,
            SIGNED,
            Certificate,
            Report,
            Schedule,
            ScheduleStep,
            SignedFile,
        )
        from compliance.reports.pages import help_page
        from rounds.ledger import register_rows

        register_rows(MADE.name, Report.rows_between)
        register_rows(SIGNED.name, SignedFile.rows_between)
        register_rows(KEY.name, Certificate.rows_between)
        register_rows(SCHEDULED.name, Schedule.rows_between)
        register_rows(RESCHEDULED.name, ScheduleStep.rows_between)
        register_items(
            NavItem("Dashboard", "reports:dashboards", 57, covers=r"/casinos/[^/]+/dashboard/", group="evidence")
        )
        register_items(NavItem("Reports", "reports:casinos", 58, covers=r"/casinos/[^/]+/reports/", group="evidence"))
        register_check("report key", signing_certificates.check_signing_key, is_vital=False)
        help_pages.register_pages(help_page.PAGE, help_page.SIGNED_FILES)
