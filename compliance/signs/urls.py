from django.urls import include, path, register_converter

from compliance.signs.views import acts, board, display, table


class PaperConverter:
    regex = "a4|a5"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(PaperConverter, "paper")

app_name = "signs"

of_a_sign = [
    path("up/", acts.up, name="up"),
    path("confirm/", acts.confirm, name="confirm"),
    path("down/", acts.down, name="down"),
    path("<paper:paper>.pdf", acts.paper, name="paper"),
]

urlpatterns = [
    path("signs/", board.casinos, name="casinos"),
    path("casinos/<slug:casino>/signs/", board.board, name="board"),
    path("casinos/<slug:casino>/signs/tables/<slug:table>/", table.table, name="table"),
    path("casinos/<slug:casino>/signs/tables/<slug:table>/add-display/", acts.add, name="add-display"),
    path("casinos/<slug:casino>/signs/displays/<int:display>/end/", acts.end, name="end-display"),
    path("casinos/<slug:casino>/signs/<int:sign>/", include(of_a_sign)),
    path("sign/<str:token>/", display.display, name="display"),
    path("casinos/<slug:casino>/tables/<slug:table>/sign/", display.live, name="live"),
]
