from django.urls import include, path

from compliance.checklists.views import checklists, clauses, drawing, samples

app_name = "checklists"

of_a_checklist = [
    path("", checklists.checklist, name="checklist"),
    path("sign-off/", checklists.sign_off, name="sign-off"),
    path("supersede/", checklists.supersede, name="supersede"),
    path("clauses/<int:place>/", clauses.clause, name="clause"),
    path("clauses/<int:place>/again/", clauses.again, name="clause-again"),
]

of_a_sample = [
    path("", samples.sample, name="sample"),
    path("draw/", drawing.draw, name="draw"),
    path("draw/progress/", drawing.progress, name="draw-progress"),
    path("again/", drawing.again, name="draw-again"),
    path("again/progress/", drawing.again_progress, name="again-progress"),
    path("rounds/<int:place>/", samples.walk, name="walk"),
]

urlpatterns = [
    path("checklists/", checklists.casinos, name="casinos"),
    path("casinos/<slug:casino>/checklists/", checklists.checklists, name="checklists"),
    path("casinos/<slug:casino>/checklists/new/", checklists.new, name="new"),
    path("casinos/<slug:casino>/checklists/<int:checklist>/", include(of_a_checklist)),
    path("casinos/<slug:casino>/samples/new/", drawing.new, name="new-sample"),
    path("casinos/<slug:casino>/samples/new/weighted/", drawing.new_weighted, name="new-weighted-sample"),
    path("casinos/<slug:casino>/samples/<int:sample>/", include(of_a_sample)),
]
