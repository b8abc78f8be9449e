from django.urls import include, path

from compliance.inspectorate import api, mirroring
from compliance.inspectorate.views import tokens

app_name = "inspectorate"

read_by_systems = [
    path("findings", api.findings, name="api-findings"),
    path("findings/<int:index>", api.finding, name="api-finding"),
    path("rounds", api.rounds, name="api-rounds"),
    path("rounds/<int:index>", api.round, name="api-round"),
    path("coverage", api.coverage, name="api-coverage"),
    path("reports", api.reports, name="api-reports"),
    path("reports/<int:report>/file", api.report_file, name="api-report-file"),
    path("entries", mirroring.entries, name="api-entries"),
    path("packs/<slug:sha256>", mirroring.pack, name="api-pack"),
]

urlpatterns = [
    path("tokens/", tokens.casinos, name="casinos"),
    path("casinos/<slug:casino>/tokens/", tokens.tokens, name="tokens"),
    path("casinos/<slug:casino>/tokens/new/", tokens.new, name="new-token"),
    path("casinos/<slug:casino>/tokens/<int:token>/revoke/", tokens.revoke, name="revoke"),
    path("api/v1/casinos/<slug:casino>/", include(read_by_systems)),
]
