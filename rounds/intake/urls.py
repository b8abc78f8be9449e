from django.urls import include, path

from rounds.intake.api import openapi_views, views
from rounds.intake.pages import feeds, paper_rounds, quarantine

app_name = "intake"

refused_lines = [
    path("", quarantine.quarantine, name="quarantine"),
    path("<int:line>/", quarantine.quarantined_line, name="quarantined"),
    path("<int:line>/line.txt", quarantine.quarantined_bytes, name="quarantined-bytes"),
    path("<int:line>/deal-with/", quarantine.resolve_line, name="deal-with"),
]

rounds_from_paper = [
    path("", paper_rounds.paper_rounds, name="paper-rounds"),
    path("enter/", paper_rounds.enter_round, name="paper-enter"),
    path("<int:paper>/", paper_rounds.paper_round, name="paper-round"),
    path("<int:paper>/confirm/", paper_rounds.confirm, name="paper-confirm"),
    path("<int:paper>/refuse/", paper_rounds.refuse, name="paper-refuse"),
]

urlpatterns = [
    path("api/v1/entries", views.entries, name="entries"),
    path("api/v1/openapi.yaml", openapi_views.openapi_schema, name="openapi"),
    path("api/v1/", openapi_views.swagger_page, name="reader"),
    path("casinos/<slug:casino>/floor/feeds/", feeds.feeds, name="feeds"),
    path("casinos/<slug:casino>/floor/quarantine/", include(refused_lines)),
    path("casinos/<slug:casino>/floor/paper/", include(rounds_from_paper)),
]
