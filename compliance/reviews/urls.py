from django.urls import include, path

from compliance.reviews.views import arrangements, decisions, finding, groups, questions, queue

app_name = "reviews"

of_a_casino = [
    path("", queue.queue, name="queue"),
    path("next/", queue.take_next, name="next"),
    path("groups/", groups.groups, name="groups"),
    path("groups/decide/<slug:outcome>/", groups.decide, name="decide-together"),
    path("arrangements/", arrangements.arrangements, name="arrangements"),
    path("<int:finding>/", finding.finding, name="finding"),
    path("<int:finding>/timeline.svg", finding.timeline, name="timeline"),
    path("<int:finding>/take/", queue.take, name="take"),
    path("<int:finding>/put-back/", queue.give_back, name="put-back"),
    path("<int:finding>/reperform/", finding.reperform, name="reperform"),
    path("<int:finding>/second/", decisions.second, name="second"),
    path("<int:finding>/decide/<slug:outcome>/", decisions.decide, name="decide"),
]

urlpatterns = [
    path("reviews/", queue.casinos, name="casinos"),
    path("questions/", questions.casinos, name="asked-casinos"),
    path("casinos/<slug:casino>/reviews/", include(of_a_casino)),
    path("casinos/<slug:casino>/questions/", questions.asked, name="asked"),
    path("casinos/<slug:casino>/questions/<int:question>/", questions.answer, name="answer"),
    path("casinos/<slug:casino>/findings/<int:finding>/decisions/", questions.standing, name="standing"),
]
