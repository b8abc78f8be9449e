from django.urls import include, path

from compliance.notify.alerts.views import inbox, ladders

app_name = "alerts"

casino_alert_urls = [
    path("", inbox.list_alerts, name="inbox"),
    path("ladder/", ladders.show_ladders, name="ladders"),
    path("ladder/<slug:urgency>/", ladders.change_ladder, name="set-ladder"),
    path("table/<slug:table>/", inbox.table_alerts_block, name="block"),
    path("<int:alert>/", inbox.show_alert, name="alert"),
    path("<int:alert>/acknowledge/", inbox.acknowledge, name="acknowledge"),
]

urlpatterns = [
    path("alerts/", inbox.choose_alerts_casino, name="casinos"),
    path("casinos/<slug:casino>/alerts/", include(casino_alert_urls)),
]
