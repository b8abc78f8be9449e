from django.urls import include, path

from compliance.transparency.witness_registry import witness_api
from compliance.transparency.witness_registry.views import witnesses

app_name = "witnesses"

casino_urls = [
    path("", witnesses.witness_list, name="witnesses"),
    path("new/", witnesses.register_witness_page, name="register"),
    path("<int:witness>/end/", witnesses.end_witness_page, name="end"),
    path("statements/<int:dissent>/", witnesses.download_statement, name="statement"),
]

urlpatterns = [
    path("witnesses/", witnesses.choose_witnesses_casino, name="casinos"),
    path("casinos/<slug:casino>/witnesses/", include(casino_urls)),
    path(
        "api/v1/logs/<slug:log>/checkpoints/<int:size>/cosignatures", witness_api.post_cosignatures, name="cosignatures"
    ),
    path("api/v1/logs/<slug:log>/disagreements", witness_api.post_disagreement, name="disagreements"),
]
