from django.urls import URLPattern, URLResolver, include, path

from promotions.draws.views import draws, holidays, winners

app_name = "draws"

of_a_draw = [
    path("", draws.draw, name="draw"),
    path("held/", draws.hold, name="hold"),
    path("stop/", draws.stop, name="stop"),
    path("validate/", draws.validate, name="validate"),
    path("publish/", draws.publish, name="publish"),
    path("winners/new/", winners.add, name="add-winner"),
    path("winners/<int:winner>/", winners.winner, name="winner"),
    path("winners/<int:winner>/attempt/", winners.attempt, name="attempt"),
    path("winners/<int:winner>/person/", winners.person, name="person"),
]

of_a_promotion: list[URLPattern | URLResolver] = [
    path("", draws.draws, name="draws"),
    path("new/", draws.schedule, name="schedule"),
    path("<int:draw>/", include(of_a_draw)),
]

urlpatterns = [
    path("casinos/<slug:casino>/promotions/winners/", winners.not_told, name="not-told"),
    path("casinos/<slug:casino>/holidays/", holidays.holidays, name="holidays"),
    path("casinos/<slug:casino>/holidays/change/", holidays.change, name="change-holidays"),
    path("casinos/<slug:casino>/promotions/<int:promotion>/draws/", include(of_a_promotion)),
]
