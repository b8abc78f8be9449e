from django.urls import include, path

from compliance.audit.pages import views
from compliance.audit.pages.clause_page import clause_page
from compliance.audit.pages.prediction_state import prediction_state

app_name = "audit"

casino_urls = [
    path("", views.finding_list, name="findings"),
    path("coverage/", views.coverage_page, name="coverage"),
    path("readings/<slug:rules>/<int:number>/", views.reading_impact, name="readings"),
    path("checks/<slug:rules>/<int:number>/", views.version_checks, name="checks"),
    path("checks/<slug:rules>/<int:number>/clauses/<str:clause>/", clause_page, name="clause"),
    path("<int:finding>/", views.finding_detail, name="finding"),
]

urlpatterns = [
    path("findings/", views.casino_list, name="casinos"),
    path("predictions/<int:prediction>/", prediction_state, name="prediction"),
    path("casinos/<slug:casino>/findings/", include(casino_urls)),
]
