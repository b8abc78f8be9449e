from django.urls import include, path

from compliance.conduct import views

app_name = "conduct"

of_casino = [
    path("", views.acts, name="acts"),
    path("<int:act>/", views.act, name="act"),
    path("tables/<slug:table>/", views.at_table, name="table"),
    path("tables/<slug:table>/<slug:kind>/", views.record, name="record"),
]

urlpatterns = [
    path("conduct/", views.casinos, name="casinos"),
    path("casinos/<slug:casino>/conduct/", include(of_casino)),
]
