from django.urls import path

from compliance.tables.limit_notices.views import notices, players

app_name = "notices"

TABLE_PATH = "casinos/<slug:casino>/notices/tables/<slug:table>/"

urlpatterns = [
    path("casinos/<slug:casino>/notices/", notices.notices, name="notices"),
    path("casinos/<slug:casino>/notices/<int:notice>/", notices.notice, name="notice"),
    path("casinos/<slug:casino>/notices/<int:notice>/withdraw/", notices.withdraw, name="withdraw"),
    path(f"{TABLE_PATH}change/", notices.new_notice, name="new"),
    path(f"{TABLE_PATH}player-limits/", players.player_limits, name="player-limits"),
    path(f"{TABLE_PATH}player-limits/allow/", players.new_player_limit, name="allow-player"),
    path("casinos/<slug:casino>/notices/player-limits/<int:limit>/end/", players.end_limit, name="end-player-limit"),
    path(f"{TABLE_PATH}warnings/", players.warnings, name="warnings"),
    path(f"{TABLE_PATH}warnings/record/", players.new_warning, name="warn"),
]
