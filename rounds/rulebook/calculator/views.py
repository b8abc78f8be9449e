"""The calculator's page: one GET form with its answer above, so that an answer has a URL that can be shared."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.ui.links import casino_url
from rounds.engine import EngineError
from rounds.rulebook.calculator.answer import build_answer_display
from rounds.rulebook.calculator.available_rules import SHIPPED, list_available_rules
from rounds.rulebook.calculator.calculation import Calculation, calculate
from rounds.rulebook.calculator.forms import ASK, HISTORY, NO_RESULT, CalculatorForm, query_without
from rounds.rulebook.permissions import CALCULATOR_ROLES

ACTION_PARAMETER = "do"


@require_roles(*CALCULATOR_ROLES)
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, CALCULATOR_ROLES, calculator_url, title="What would this pay?", caption="Whose rules?"
    )


def calculator_url(casino: Casino) -> str:
    return casino_url("rulebook:calculator", casino)


@require_roles(*CALCULATOR_ROLES)
@require_safe
def calculator(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    query = request.GET
    if query.get(ACTION_PARAMETER):
        return redirect(f"{request.path}?{apply_button(query).urlencode()}")
    available = list_available_rules(request.casino, now, query.get("rules", ""))
    chosen = next((entry for entry in available if entry.key == query.get("rules")), available[0])
    form = CalculatorForm(query, available, chosen)
    answer = calculate_answer(form)
    context = {
        "casino": request.casino,
        "form": form,
        "chosen": chosen,
        "is_unapproved": chosen.state_label == SHIPPED,
        "answer": None if answer is None else build_answer_display(answer, chosen),
        "results": list(enumerate(form.history)),
        "now": now,
        "address": request.build_absolute_uri(),
    }
    return render(request, "rulebook/calculator.html", context)


def calculate_answer(form: CalculatorForm) -> Calculation | None:
    if form.is_unsubmitted or not form.is_valid():
        return None
    try:
        return calculate(form.pack, form.pay_table, form.readings, form.build_question())
    except EngineError as error:
        form.add_engine_error(error)
        return None


def apply_button(query: QueryDict) -> QueryDict:
    """The query after one of the other buttons: change the rules, add or remove a result of a streak."""
    act, _, number = str(query[ACTION_PARAMETER]).partition(":")
    changed = query_without(query, ACTION_PARAMETER)
    if act == "rules":
        return query_without(changed, ASK)
    results = changed.getlist(HISTORY)
    if act == "remove" and number.isdigit() and int(number) < len(results):
        del results[int(number)]
    elif act == "no-result":
        results.append(NO_RESULT)
    elif act == "add":
        faces = [changed.get(f"next-{number}", "") for number in (1, 2, 3)]
        if all(faces):
            results.append("-".join(faces))
            changed = query_without(changed, "next")
    changed.setlist(HISTORY, results)
    if changed.get("stake", "").strip():
        changed[ASK] = "1"
    return changed
