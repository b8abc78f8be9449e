from django.urls import include, path

from rounds.intake import api, document
from rounds.intake.views import feeds, paper, quarantine

app_name = "intake"

refused_lines = [
    path("", quarantine.quarantine, name="quarantine"),
    path("<int:line>/", quarantine.quarantined, name="quarantined"),
    path("<int:line>/line.txt", quarantine.quarantined_bytes, name="quarantined-bytes"),
    path("<int:line>/deal-with/", quarantine.deal_with, name="deal-with"),
]

rounds_from_paper = [
    path("", paper.paper_rounds, name="paper-rounds"),
    path("enter/", paper.enter, name="paper-enter"),
    path("<int:paper>/", paper.paper_round, name="paper-round"),
    path("<int:paper>/confirm/", paper.confirm, name="paper-confirm"),
    path("<int:paper>/refuse/", paper.refuse, name="paper-refuse"),
]

urlpatterns = [
    path("api/v1/entries", api.entries, name="entries"),
    path("api/v1/openapi.yaml", document.schema, name="openapi"),
    path("api/v1/", document.reader, name="reader"),
    path("casinos/<slug:casino>/floor/feeds/", feeds.feeds, name="feeds"),
    path("casinos/<slug:casino>/floor/quarantine/", include(refused_lines)),
    path("casinos/<slug:casino>/floor/paper/", include(rounds_from_paper)),
]
