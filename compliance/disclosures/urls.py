from django.urls import path

from compliance.disclosures import views

app_name = "disclosures"

urlpatterns = [
    path("who-looked/", views.casinos, name="casinos"),
    path("casinos/<slug:casino>/who-looked/", views.seen, name="seen"),
]
