from django.urls import include, path

from rounds.rulebook.calculator import views as calculator
from rounds.rulebook.editor import views as editing
from rounds.rulebook.pages import approve, home, propose, public, version

app_name = "rulebook"

casino_rulebook_patterns = [
    path("", home.rulebook_home, name="home"),
    path("propose/", propose.proposal_task_list, name="propose"),
    path("propose/pack/", propose.choose_pack, name="propose-pack"),
    path("propose/edit/", editing.edit_text, name="propose-edit"),
    path("propose/edit/values/", editing.edit_values, name="propose-edit-values"),
    path("propose/edit/begin/", editing.choose_starting_point, name="propose-edit-begin"),
    path("propose/edit/give-up/", editing.confirm_discard, name="propose-edit-give-up"),
    path("propose/source/", propose.upload_source, name="propose-source"),
    path("propose/readings/", propose.choose_readings, name="propose-readings"),
    path("propose/check/", propose.review_and_send, name="propose-check"),
    path("propose/discard/", propose.discard_proposal, name="propose-discard"),
    path("<slug:rules>/<int:number>/", version.version_page, name="version"),
    path("<slug:rules>/<int:number>/diff/", version.diff_page, name="diff"),
    path("<slug:rules>/<int:number>/truth/", version.truth_table_page, name="truth"),
    path("<slug:rules>/<int:number>/truth.csv", version.truth_table_csv, name="truth-csv"),
    path("<slug:rules>/<int:number>/document/", version.download_document, name="document"),
    path("<slug:rules>/<int:number>/approve/", approve.approve, name="approve"),
    path("<slug:rules>/<int:number>/withdraw/", approve.withdraw, name="withdraw"),
    path("<slug:rules>/<int:number>/ruling/", approve.make_ruling, name="ruling"),
]

urlpatterns = [
    path("rulebook/", home.casino_list, name="casinos"),
    path("casinos/<slug:casino>/rulebook/", include(casino_rulebook_patterns)),
    path("calculator/", calculator.casino_list, name="calculator-casinos"),
    path("casinos/<slug:casino>/calculator/", calculator.calculator, name="calculator"),
    path("rules/<slug:casino>/<slug:rules>/", public.redirect_to_rules_in_force, name="rules-now"),
    path("rules/<slug:casino>/<slug:rules>/<int:number>/", public.public_rules, name="rules"),
    path(
        "rules/<slug:casino>/<slug:rules>/<int:number>/document/", public.public_rules_document, name="rules-document"
    ),
]
