"""The addresses of promotions: the board made of all three apps, and each app's own."""

from django.urls import include, path

from promotions import board

of_the_board = (
    [
        path("casinos/<slug:casino>/promotions/", board.board, name="board"),
        path("casinos/<slug:casino>/promotions/calendar/", board.calendar, name="calendar"),
    ],
    "promotions",
)

urlpatterns = [
    path("", include(of_the_board)),
    path("", include("promotions.claims.urls")),
    path("", include("promotions.draws.urls")),
    path("", include("promotions.terms.urls")),
]
