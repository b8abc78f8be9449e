from django.urls import include, path

from compliance.reports.pages import certificates, dashboard, reports, schedules

app_name = "reports"

of_a_casino = [
    path("", reports.reports, name="reports"),
    path("new/<slug:kind>/", reports.new_report, name="new"),
    path("schedules/", schedules.schedules, name="schedules"),
    path("schedules/new/", schedules.add_schedule, name="add-schedule"),
    path("schedules/<int:schedule>/", schedules.schedule, name="schedule"),
    path("schedules/<int:schedule>/<slug:state>/", schedules.change_schedule, name="move-schedule"),
    path("<int:report>/", reports.report, name="report"),
    path("<int:report>/progress/", reports.report_progress, name="progress"),
    path("<int:report>/cancel/", reports.cancel, name="cancel"),
    path("<int:report>/retry/", reports.retry, name="retry"),
    path("<int:report>/file/", reports.download_report, name="file"),
    path("<int:report>/figure-<int:figure>.svg", reports.report_figure, name="figure"),
]

urlpatterns = [
    path("reports/", reports.casino_list, name="casinos"),
    path("casinos/<slug:casino>/reports/", include(of_a_casino)),
    path("dashboards/", dashboard.choose_dashboard_casino, name="dashboards"),
    path("casinos/<slug:casino>/dashboard/", dashboard.dashboard, name="dashboard"),
    path("casinos/<slug:casino>/dashboard/<slug:chart>.svg", dashboard.dashboard_chart, name="dashboard-chart"),
    path("reports/verify_report.py", reports.download_verifier, name="verifier"),
    path("reports/certificates/", certificates.certificates, name="certificates"),
    path("reports/certificates/<slug:fingerprint>.pem", certificates.download_certificate, name="certificate"),
]
