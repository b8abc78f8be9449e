from django.urls import include, path

from compliance.inspection.reviews.views import comments, decisions, finding, groups, policies, questions, queue

app_name = "reviews"

of_a_casino = [
    path("", queue.queue, name="queue"),
    path("next/", queue.take_next_finding, name="next"),
    path("groups/", groups.groups, name="groups"),
    path("groups/decide/<slug:outcome>/", groups.decide, name="decide-together"),
    path("arrangements/", policies.review_policies, name="arrangements"),
    path("<int:finding>/", finding.finding, name="finding"),
    path("<int:finding>/timeline.svg", finding.timeline_image, name="timeline"),
    path("<int:finding>/take/", queue.take_finding, name="take"),
    path("<int:finding>/put-back/", queue.release_finding, name="put-back"),
    path("<int:finding>/reperform/", finding.recheck, name="reperform"),
    path("<int:finding>/second/", decisions.confirm, name="second"),
    path("<int:finding>/decide/<slug:outcome>/", decisions.decide, name="decide"),
]

urlpatterns = [
    path("reviews/", queue.casino_list, name="casinos"),
    path("questions/", questions.casino_list, name="asked-casinos"),
    path("casinos/<slug:casino>/reviews/", include(of_a_casino)),
    path("casinos/<slug:casino>/questions/", questions.question_list, name="asked"),
    path("casinos/<slug:casino>/questions/<int:question>/", questions.answer, name="answer"),
    path("casinos/<slug:casino>/findings/<int:finding>/decisions/", questions.finding_decisions, name="standing"),
    path("casinos/<slug:casino>/findings/<int:finding>/comment/", comments.comment, name="comment"),
]
