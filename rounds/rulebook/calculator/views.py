"""The calculator's page: one form by GET, its answer above it, and an address that can be sent and printed."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.roles import EVERY_ROLE, Role
from compliance.accounts.views.choosing import choose_casino
from compliance.web.access import held_by
from rounds.engine.errors import EngineError
from rounds.rulebook.calculator.at_hand import SHIPPED, rules_at_hand
from rounds.rulebook.calculator.forms import ASK, HISTORY, NO_RESULT, CalculatorForm, without_answers
from rounds.rulebook.calculator.question import Answer, work_out
from rounds.rulebook.calculator.shown import shown

# Those who keep a floor or watch over one. Marketing and administrators settle nothing.
FLOOR = EVERY_ROLE - {Role.MARKETING, Role.ADMINISTRATOR}
ACT = "do"


@held_by(*FLOOR)
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(request, FLOOR, address_of, title="What would this pay?", caption="Whose rules?")


def address_of(casino: Casino) -> str:
    return reverse("rulebook:calculator", kwargs={"casino": casino.slug})


@held_by(*FLOOR)
@require_safe
@never_cache
def calculator(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    query = request.GET
    if query.get(ACT):
        return redirect(f"{request.path}?{after_act(query).urlencode()}")
    at_hand = rules_at_hand(request.casino, now, query.get("rules", ""))
    chosen = next((entry for entry in at_hand if entry.key == query.get("rules")), at_hand[0])
    form = CalculatorForm(query, at_hand, chosen)
    answer = answer_to(form)
    context = {
        "casino": request.casino,
        "form": form,
        "chosen": chosen,
        "is_unapproved": chosen.standing == SHIPPED,
        "answer": None if answer is None else shown(answer, chosen),
        "results": list(enumerate(form.history)),
        "now": now,
        "address": request.build_absolute_uri(),
    }
    return render(request, "rulebook/calculator.html", context)


def answer_to(form: CalculatorForm) -> Answer | None:
    if form.is_quiet or not form.is_valid():
        return None
    try:
        return work_out(form.pack, form.pay_table, form.readings, form.wager())
    except EngineError as error:
        form.refuse(error)
        return None


def after_act(query: QueryDict) -> QueryDict:
    """What a button other than the answer's does: other rules, one result more, one less."""
    act, _, number = str(query[ACT]).partition(":")
    left = without_answers(query, ACT)
    if act == "rules":
        return without_answers(left, ASK)
    results = left.getlist(HISTORY)
    if act == "remove" and number.isdigit() and int(number) < len(results):
        del results[int(number)]
    elif act == "no-result":
        results.append(NO_RESULT)
    elif act == "add":
        faces = [left.get(f"next-{place}", "") for place in (1, 2, 3)]
        if all(faces):
            results.append("-".join(faces))
            left = without_answers(left, "next")
    left.setlist(HISTORY, results)
    if left.get("stake", "").strip():
        left[ASK] = "1"
    return left
