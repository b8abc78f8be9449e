from django.urls import URLPattern, URLResolver, include, path

from promotions.draws.views import draws, holidays, winners

app_name = "draws"

draw_urls = [
    path("", draws.draw, name="draw"),
    path("held/", draws.hold, name="hold"),
    path("stop/", draws.stop, name="stop"),
    path("validate/", draws.validate, name="validate"),
    path("publish/", draws.publish, name="publish"),
    path("winners/new/", winners.add_winner, name="add-winner"),
    path("winners/<int:winner>/", winners.winner, name="winner"),
    path("winners/<int:winner>/attempt/", winners.new_attempt, name="attempt"),
    path("winners/<int:winner>/person/", winners.winner_details, name="person"),
]

promotion_urls: list[URLPattern | URLResolver] = [
    path("", draws.draws, name="draws"),
    path("new/", draws.schedule, name="schedule"),
    path("<int:draw>/", include(draw_urls)),
]

urlpatterns = [
    path("casinos/<slug:casino>/promotions/winners/", winners.unnotified, name="not-told"),
    path("casinos/<slug:casino>/holidays/", holidays.holidays, name="holidays"),
    path("casinos/<slug:casino>/holidays/change/", holidays.change_holidays, name="change-holidays"),
    path("casinos/<slug:casino>/promotions/<int:promotion>/draws/", include(promotion_urls)),
]
