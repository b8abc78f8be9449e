from django.urls import include, path, register_converter

from compliance.tables.signs.views import actions, board, display, table


class PaperConverter:
    regex = "a4|a5"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(PaperConverter, "paper")

app_name = "signs"

sign_urls = [
    path("up/", actions.confirm_up_now, name="up"),
    path("confirm/", actions.confirm_up_earlier, name="confirm"),
    path("down/", actions.take_down, name="down"),
    path("<paper:paper>.pdf", actions.download_pdf, name="paper"),
]

urlpatterns = [
    path("signs/", board.casinos, name="casinos"),
    path("casinos/<slug:casino>/signs/", board.board, name="board"),
    path("casinos/<slug:casino>/signs/tables/<slug:table>/", table.table, name="table"),
    path("casinos/<slug:casino>/signs/tables/<slug:table>/add-display/", actions.new_display, name="add-display"),
    path("casinos/<slug:casino>/signs/displays/<int:display>/end/", actions.retire_display, name="end-display"),
    path("casinos/<slug:casino>/signs/<int:sign>/", include(sign_urls)),
    path("sign/<str:token>/", display.display, name="display"),
    path("casinos/<slug:casino>/tables/<slug:table>/sign/", display.live_sign, name="live"),
]
