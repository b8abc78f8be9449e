from django.urls import include, path

from rounds.intake import api, document
from rounds.intake.views import quarantine

app_name = "intake"

refused_lines = [
    path("", quarantine.quarantine, name="quarantine"),
    path("<int:line>/", quarantine.quarantined, name="quarantined"),
    path("<int:line>/line.txt", quarantine.quarantined_bytes, name="quarantined-bytes"),
    path("<int:line>/deal-with/", quarantine.deal_with, name="deal-with"),
]

urlpatterns = [
    path("api/v1/entries", api.entries, name="entries"),
    path("api/v1/openapi.yaml", document.schema, name="openapi"),
    path("api/v1/", document.reader, name="reader"),
    path("casinos/<slug:casino>/floor/quarantine/", include(refused_lines)),
]
