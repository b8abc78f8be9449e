from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "compliance.reports"
    label = "reports"

    def ready(self) -> None:
        from compliance.reports import certificates, guide
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
        from compliance.web import help
        from compliance.web.health import register_check
        from compliance.web.navigation import NavItem, register
        from rounds.ledger.recorded import register_record

        register_record(MADE.name, Report.recorded_between)
        register_record(SIGNED.name, SignedFile.recorded_between)
        register_record(KEY.name, Certificate.recorded_between)
        register_record(SCHEDULED.name, Schedule.recorded_between)
        register_record(RESCHEDULED.name, ScheduleStep.recorded_between)
        register(NavItem("Dashboard", "reports:dashboards", 57, covers=r"/casinos/[^/]+/dashboard/", group="evidence"))
        register(NavItem("Reports", "reports:casinos", 58, covers=r"/casinos/[^/]+/reports/", group="evidence"))
        register_check("report key", certificates.check_key, is_vital=False)
        help.register(guide.PAGE, guide.SIGNED_FILES)
