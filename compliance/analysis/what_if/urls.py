from django.urls import include, path

from compliance.analysis.what_if.views import requests, results

app_name = "trials"

casino_urls = [
    path("", results.trial_list, name="trials"),
    path("new/", requests.new_trial, name="new"),
    path("new/<slug:rules>/<int:number>/", requests.choose_readings, name="readings"),
    path("<int:trial>/", results.trial_detail, name="trial"),
    path("<int:trial>/progress/", results.trial_progress, name="progress"),
    path("<int:trial>/differences/", results.difference_list, name="differences"),
    path("<int:trial>/stop/", requests.cancel, name="stop"),
    path("<int:trial>/retry/", requests.retry, name="retry"),
    path("<int:trial>/again/", requests.repeat, name="again"),
]

urlpatterns = [
    path("what-if/", results.casino_list, name="casinos"),
    path("casinos/<slug:casino>/what-if/", include(casino_urls)),
]
