from django.urls import path

from compliance.privacy.access_log import views

app_name = "disclosures"

urlpatterns = [
    path("who-looked/", views.choose_access_log_casino, name="casinos"),
    path("casinos/<slug:casino>/who-looked/", views.list_access_log, name="seen"),
]
