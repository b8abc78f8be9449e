from django.urls import include, path

from compliance.notify.saved_views.views import saved_views, subscriptions, unsubscribe

app_name = "saved"

saved_view_urls = [
    path("", saved_views.show_view, name="view"),
    path("open/", saved_views.open_view, name="open"),
    path("change/", saved_views.change_view_page, name="change"),
    path("remove/", saved_views.remove_view_page, name="remove"),
    path("tell/", subscriptions.subscribe_page, name="tell"),
    path("tell/stop/", subscriptions.stop_subscription, name="stop-telling"),
]

urlpatterns = [
    path("views/", saved_views.choose_views_casino, name="casinos"),
    path("views/stop/<str:token>/", unsubscribe.unsubscribe_by_link, name="stop"),
    path("casinos/<slug:casino>/views/", saved_views.list_views, name="views"),
    path("casinos/<slug:casino>/views/keep/", saved_views.save_view_page, name="keep"),
    path("casinos/<slug:casino>/views/<int:view>/", include(saved_view_urls)),
]
