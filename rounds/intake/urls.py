from django.urls import path

from rounds.intake import api, document

app_name = "intake"

urlpatterns = [
    path("api/v1/entries", api.entries, name="entries"),
    path("api/v1/openapi.yaml", document.schema, name="openapi"),
    path("api/v1/", document.reader, name="reader"),
]
