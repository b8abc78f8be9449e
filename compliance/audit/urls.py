from django.urls import include, path

from compliance.audit import views

app_name = "audit"

of_a_casino = [
    path("", views.findings, name="findings"),
    path("coverage/", views.coverage, name="coverage"),
    path("readings/<slug:rules>/<int:number>/", views.readings, name="readings"),
    path("checks/<slug:rules>/<int:number>/", views.checks, name="checks"),
    path("<int:finding>/", views.finding, name="finding"),
]

urlpatterns = [
    path("findings/", views.casinos, name="casinos"),
    path("casinos/<slug:casino>/findings/", include(of_a_casino)),
]
