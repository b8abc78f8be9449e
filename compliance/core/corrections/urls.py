from django.urls import path

from compliance.core.corrections import views

app_name = "corrections"

urlpatterns = [
    path("casinos/<slug:casino>/entries/<int:index>/withdraw/", views.withdraw, name="withdraw"),
]
