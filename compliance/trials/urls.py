from django.urls import include, path

from compliance.trials.views import asking, showing

app_name = "trials"

of_casino = [
    path("", showing.trials, name="trials"),
    path("new/", asking.new, name="new"),
    path("new/<slug:rules>/<int:number>/", asking.readings, name="readings"),
    path("<int:trial>/", showing.trial, name="trial"),
    path("<int:trial>/progress/", showing.progress, name="progress"),
    path("<int:trial>/differences/", showing.differences, name="differences"),
    path("<int:trial>/stop/", asking.stop, name="stop"),
    path("<int:trial>/again/", asking.again, name="again"),
]

urlpatterns = [
    path("what-if/", showing.casinos, name="casinos"),
    path("casinos/<slug:casino>/what-if/", include(of_casino)),
]
