from django.urls import path

from compliance.notices.views import notices, players

app_name = "notices"

AT_A_TABLE = "casinos/<slug:casino>/notices/tables/<slug:table>/"

urlpatterns = [
    path("casinos/<slug:casino>/notices/", notices.notices, name="notices"),
    path("casinos/<slug:casino>/notices/<int:notice>/", notices.notice, name="notice"),
    path("casinos/<slug:casino>/notices/<int:notice>/withdraw/", notices.withdraw, name="withdraw"),
    path(f"{AT_A_TABLE}change/", notices.new, name="new"),
    path(f"{AT_A_TABLE}player-limits/", players.player_limits, name="player-limits"),
    path(f"{AT_A_TABLE}player-limits/allow/", players.allow, name="allow-player"),
    path("casinos/<slug:casino>/notices/player-limits/<int:limit>/end/", players.end, name="end-player-limit"),
    path(f"{AT_A_TABLE}warnings/", players.warnings, name="warnings"),
    path(f"{AT_A_TABLE}warnings/record/", players.warn, name="warn"),
]
