from django.urls import include, path

from compliance.webhooks.views import deliveries, endpoints

app_name = "webhooks"

of_an_endpoint = [
    path("", endpoints.endpoint, name="endpoint"),
    path("change/", endpoints.change, name="change"),
    path("off/", endpoints.off, name="off"),
    path("on/", endpoints.on, name="on"),
    path("remove/", endpoints.remove, name="remove"),
    path("test/", deliveries.test, name="test"),
    path("messages/<int:delivery>/", deliveries.delivery, name="delivery"),
    path("messages/<int:delivery>/again/", deliveries.again, name="again"),
]

urlpatterns = [
    path("webhooks/", endpoints.casinos, name="casinos"),
    path("casinos/<slug:casino>/webhooks/", endpoints.endpoints, name="endpoints"),
    path("casinos/<slug:casino>/webhooks/new/", endpoints.new, name="new"),
    path("casinos/<slug:casino>/webhooks/<int:endpoint>/", include(of_an_endpoint)),
]
