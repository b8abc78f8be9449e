from django.urls import path

from compliance.transparency.recovery import views

app_name = "restores"

urlpatterns = [
    path("restores/", views.log_list, name="logs"),
    path("restores/<slug:log>/", views.log_detail, name="log"),
    path("restores/<slug:log>/checkpoint/", views.submit_checkpoint_page, name="hand-in"),
    path("restores/<slug:log>/epoch/", views.begin_epoch_page, name="begin"),
]
