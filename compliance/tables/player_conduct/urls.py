from django.urls import include, path

from compliance.tables.player_conduct import views

app_name = "conduct"

casino_urls = [
    path("", views.acts, name="acts"),
    path("<int:act>/", views.act, name="act"),
    path("tables/<slug:table>/", views.choose_act_type, name="table"),
    path("tables/<slug:table>/<slug:kind>/", views.record_act, name="record"),
]

urlpatterns = [
    path("conduct/", views.casinos, name="casinos"),
    path("casinos/<slug:casino>/conduct/", include(casino_urls)),
]
