from django.urls import path

from compliance.restores import views

app_name = "restores"

urlpatterns = [
    path("restores/", views.logs, name="logs"),
    path("restores/<slug:log>/", views.log, name="log"),
    path("restores/<slug:log>/checkpoint/", views.hand_in, name="hand-in"),
    path("restores/<slug:log>/epoch/", views.begin, name="begin"),
]
