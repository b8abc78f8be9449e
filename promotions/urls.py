"""URLs of promotions: the board, and those of each app."""

from django.urls import include, path

from promotions.board import calendar, views

board_urls = (
    [
        path("casinos/<slug:casino>/promotions/", views.board, name="board"),
        path("casinos/<slug:casino>/promotions/calendar/", calendar.calendar, name="calendar"),
    ],
    "promotions",
)

urlpatterns = [
    path("", include(board_urls)),
    path("", include("promotions.claims.urls")),
    path("", include("promotions.draws.urls")),
    path("", include("promotions.terms.urls")),
]
