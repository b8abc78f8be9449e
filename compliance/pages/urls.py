from django.urls import path

from compliance.pages.views import floor, home, replay, round, search, table

app_name = "desk"

# Below tables/, because a table's slug may be "controllers".
TABLE = "casinos/<slug:casino>/floor/tables/<slug:table>"

urlpatterns = [
    path("", home.home, name="home"),
    path("search/", search.search, name="search"),
    path("casinos/<slug:casino>/search/", search.search_casino, name="search-casino"),
    path("casinos/<slug:casino>/floor/", floor.floor, name="floor"),
    path(f"{TABLE}/play/", table.table, name="table"),
    path(f"{TABLE}/timeline/", table.timeline, name="timeline"),
    path("casinos/<slug:casino>/rounds/<int:index>/", round.round, name="round"),
    path("casinos/<slug:casino>/rounds/<int:index>/replay/", replay.replay, name="replay"),
]
