from django.urls import include, path

from rounds.rulebook.calculator import views as calculator
from rounds.rulebook.editing import views as editing
from rounds.rulebook.views import deciding, home, patrons, proposing, version

app_name = "rulebook"

rulebook_of_a_casino = [
    path("", home.home, name="home"),
    path("propose/", proposing.propose, name="propose"),
    path("propose/pack/", proposing.pack, name="propose-pack"),
    path("propose/edit/", editing.edit, name="propose-edit"),
    path("propose/edit/values/", editing.values, name="propose-edit-values"),
    path("propose/edit/begin/", editing.begin, name="propose-edit-begin"),
    path("propose/edit/give-up/", editing.give_up, name="propose-edit-give-up"),
    path("propose/source/", proposing.source, name="propose-source"),
    path("propose/readings/", proposing.readings, name="propose-readings"),
    path("propose/check/", proposing.check, name="propose-check"),
    path("propose/discard/", proposing.discard, name="propose-discard"),
    path("<slug:rules>/<int:number>/", version.version, name="version"),
    path("<slug:rules>/<int:number>/diff/", version.diff, name="diff"),
    path("<slug:rules>/<int:number>/truth/", version.truth, name="truth"),
    path("<slug:rules>/<int:number>/truth.csv", version.truth_csv, name="truth-csv"),
    path("<slug:rules>/<int:number>/document/", version.document, name="document"),
    path("<slug:rules>/<int:number>/approve/", deciding.approve, name="approve"),
    path("<slug:rules>/<int:number>/withdraw/", deciding.withdraw, name="withdraw"),
    path("<slug:rules>/<int:number>/ruling/", deciding.ruling, name="ruling"),
]

urlpatterns = [
    path("rulebook/", home.casinos, name="casinos"),
    path("casinos/<slug:casino>/rulebook/", include(rulebook_of_a_casino)),
    path("calculator/", calculator.casinos, name="calculator-casinos"),
    path("casinos/<slug:casino>/calculator/", calculator.calculator, name="calculator"),
    path("rules/<slug:casino>/<slug:rules>/", patrons.rules_now, name="rules-now"),
    path("rules/<slug:casino>/<slug:rules>/<int:number>/", patrons.rules, name="rules"),
    path("rules/<slug:casino>/<slug:rules>/<int:number>/document/", patrons.rules_document, name="rules-document"),
]
