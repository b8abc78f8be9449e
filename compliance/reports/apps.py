from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "compliance.reports"
    label = "reports"

    def ready(self) -> None:
        from compliance.reports import guide
        from compliance.reports.models import MADE, RESCHEDULED, SCHEDULED, Report, Schedule, ScheduleStep
        from compliance.web import help
        from compliance.web.navigation import NavItem, register
        from rounds.ledger.recorded import register_record

        register_record(MADE.name, Report.recorded_between)
        register_record(SCHEDULED.name, Schedule.recorded_between)
        register_record(RESCHEDULED.name, ScheduleStep.recorded_between)
        register(NavItem("Dashboard", "reports:dashboards", 57, covers=r"/casinos/[^/]+/dashboard/", group="evidence"))
        register(NavItem("Reports", "reports:casinos", 58, covers=r"/casinos/[^/]+/reports/", group="evidence"))
        help.register(guide.PAGE)
