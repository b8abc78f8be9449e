from django.urls import include, path

from compliance.notify.webhooks.views import deliveries, endpoints

app_name = "webhooks"

endpoint_urls = [
    path("", endpoints.show_endpoint, name="endpoint"),
    path("change/", endpoints.change_endpoint_page, name="change"),
    path("off/", endpoints.disable_endpoint_page, name="off"),
    path("on/", endpoints.enable_endpoint_page, name="on"),
    path("remove/", endpoints.remove_endpoint_page, name="remove"),
    path("test/", deliveries.send_test_page, name="test"),
    path("messages/<int:delivery>/", deliveries.show_delivery, name="delivery"),
    path("messages/<int:delivery>/again/", deliveries.resend_page, name="again"),
]

urlpatterns = [
    path("webhooks/", endpoints.choose_webhooks_casino, name="casinos"),
    path("casinos/<slug:casino>/webhooks/", endpoints.list_endpoints, name="endpoints"),
    path("casinos/<slug:casino>/webhooks/new/", endpoints.register_endpoint_page, name="new"),
    path("casinos/<slug:casino>/webhooks/<int:endpoint>/", include(endpoint_urls)),
]
