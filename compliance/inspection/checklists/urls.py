from django.urls import include, path

from compliance.inspection.checklists.views import checklists, clauses, draws, samples

app_name = "checklists"

of_a_checklist = [
    path("", checklists.checklist, name="checklist"),
    path("sign-off/", checklists.sign_off, name="sign-off"),
    path("supersede/", checklists.supersede, name="supersede"),
    path("unchecked-clauses/", clauses.unchecked_clauses, name="unchecked-clauses"),
    path("clauses/<int:place>/", clauses.clause, name="clause"),
    path("clauses/<int:place>/again/", clauses.recheck_clause, name="clause-again"),
]

of_a_sample = [
    path("", samples.sample, name="sample"),
    path("draw/", draws.start_draw, name="draw"),
    path("draw/progress/", draws.draw_progress, name="draw-progress"),
    path("draw/cancel/", draws.cancel, {"is_again": False}, name="draw-cancel"),
    path("again/", draws.redraw, name="draw-again"),
    path("again/progress/", draws.redraw_progress, name="again-progress"),
    path("again/cancel/", draws.cancel, {"is_again": True}, name="again-cancel"),
    path("rounds/<int:place>/", samples.check_sampled_round, name="walk"),
]

urlpatterns = [
    path("checklists/", checklists.casino_list, name="casinos"),
    path("casinos/<slug:casino>/checklists/", checklists.checklists, name="checklists"),
    path("casinos/<slug:casino>/checklists/new/", checklists.new_checklist, name="new"),
    path("casinos/<slug:casino>/checklists/<int:checklist>/", include(of_a_checklist)),
    path("casinos/<slug:casino>/samples/new/", draws.new_sample, name="new-sample"),
    path("casinos/<slug:casino>/samples/new/weighted/", draws.new_weighted_sample, name="new-weighted-sample"),
    path("casinos/<slug:casino>/samples/<int:sample>/", include(of_a_sample)),
]
