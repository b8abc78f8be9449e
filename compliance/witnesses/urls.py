from django.urls import include, path

from compliance.witnesses import api
from compliance.witnesses.views import witnesses

app_name = "witnesses"

of_a_casino = [
    path("", witnesses.witnesses, name="witnesses"),
    path("new/", witnesses.register, name="register"),
    path("<int:witness>/end/", witnesses.end, name="end"),
    path("statements/<int:dissent>/", witnesses.statement, name="statement"),
]

urlpatterns = [
    path("witnesses/", witnesses.casinos, name="casinos"),
    path("casinos/<slug:casino>/witnesses/", include(of_a_casino)),
    path("api/v1/logs/<slug:log>/checkpoints/<int:size>/cosignatures", api.cosignatures, name="cosignatures"),
    path("api/v1/logs/<slug:log>/disagreements", api.disagreements, name="disagreements"),
]
