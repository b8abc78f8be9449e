from django.urls import include, path

from compliance.saved.views import stopping, telling, views

app_name = "saved"

of_a_view = [
    path("", views.view, name="view"),
    path("open/", views.open_view, name="open"),
    path("change/", views.change, name="change"),
    path("remove/", views.remove, name="remove"),
    path("tell/", telling.tell, name="tell"),
    path("tell/stop/", telling.stop, name="stop-telling"),
]

urlpatterns = [
    path("views/", views.casinos, name="casinos"),
    path("views/stop/<str:token>/", stopping.stop, name="stop"),
    path("casinos/<slug:casino>/views/", views.views, name="views"),
    path("casinos/<slug:casino>/views/keep/", views.keep, name="keep"),
    path("casinos/<slug:casino>/views/<int:view>/", include(of_a_view)),
]
