from django.urls import include, path

from compliance.reports import certificate_views, dashboard_views, schedule_views, views

app_name = "reports"

of_a_casino = [
    path("", views.reports, name="reports"),
    path("new/<slug:kind>/", views.new, name="new"),
    path("schedules/", schedule_views.schedules, name="schedules"),
    path("schedules/new/", schedule_views.add, name="add-schedule"),
    path("schedules/<int:schedule>/", schedule_views.schedule, name="schedule"),
    path("schedules/<int:schedule>/<slug:state>/", schedule_views.move, name="move-schedule"),
    path("<int:report>/", views.report, name="report"),
    path("<int:report>/progress/", views.progress, name="progress"),
    path("<int:report>/file/", views.download, name="file"),
    path("<int:report>/figure-<int:figure>.svg", views.figure, name="figure"),
]

urlpatterns = [
    path("reports/", views.casinos, name="casinos"),
    path("casinos/<slug:casino>/reports/", include(of_a_casino)),
    path("dashboards/", dashboard_views.dashboards, name="dashboards"),
    path("casinos/<slug:casino>/dashboard/", dashboard_views.dashboard, name="dashboard"),
    path("casinos/<slug:casino>/dashboard/<slug:chart>.svg", dashboard_views.chart, name="dashboard-chart"),
    path("reports/verify_report.py", views.verifier, name="verifier"),
    path("reports/certificates/", certificate_views.certificates, name="certificates"),
    path("reports/certificates/<slug:fingerprint>.pem", certificate_views.certificate, name="certificate"),
]
