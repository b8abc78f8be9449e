from django.urls import path

from compliance.desk import views

app_name = "desk"

urlpatterns = [path("", views.home, name="home")]
