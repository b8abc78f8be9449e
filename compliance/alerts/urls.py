from django.urls import include, path

from compliance.alerts.views import inbox, ladders

app_name = "alerts"

of_casino = [
    path("", inbox.inbox, name="inbox"),
    path("ladder/", ladders.ladders, name="ladders"),
    path("ladder/<slug:urgency>/", ladders.change, name="set-ladder"),
    path("table/<slug:table>/", inbox.block, name="block"),
    path("<int:alert>/", inbox.alert, name="alert"),
    path("<int:alert>/acknowledge/", inbox.acknowledge, name="acknowledge"),
]

urlpatterns = [
    path("alerts/", inbox.casinos, name="casinos"),
    path("casinos/<slug:casino>/alerts/", include(of_casino)),
]
