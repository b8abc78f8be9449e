from django.urls import include, path

from compliance.api.endpoints import log_mirror, views
from compliance.api.tokens import pages

app_name = "inspectorate"

read_by_systems = [
    path("findings", views.findings, name="api-findings"),
    path("findings/<int:index>", views.finding, name="api-finding"),
    path("findings/<int:index>/cases", views.finding_cases, name="api-finding-cases"),
    path("rounds", views.rounds, name="api-rounds"),
    path("rounds/<int:index>", views.round, name="api-round"),
    path("coverage", views.coverage, name="api-coverage"),
    path("reports", views.reports, name="api-reports"),
    path("reports/<int:report>/file", views.report_file, name="api-report-file"),
    path("entries", log_mirror.entries, name="api-entries"),
    path("packs/<slug:sha256>", log_mirror.pack, name="api-pack"),
]

urlpatterns = [
    path("tokens/", pages.casino_list, name="casinos"),
    path("casinos/<slug:casino>/tokens/", pages.tokens, name="tokens"),
    path("casinos/<slug:casino>/tokens/new/", pages.new_token, name="new-token"),
    path("casinos/<slug:casino>/tokens/<int:token>/revoke/", pages.revoke_token_page, name="revoke"),
    path("api/v1/casinos/<slug:casino>/", include(read_by_systems)),
]
