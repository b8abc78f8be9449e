"""Who is told next when nobody acknowledges: shown to everybody who reads alerts, set by those who answer for it."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.alerts.forms import LadderForm
from compliance.alerts.ladder import Rung, read_rungs, usual_ladder
from compliance.alerts.models import EscalationRule
from compliance.alerts.services import MAY_SET_LADDER, set_ladder
from compliance.alerts.views.inbox import address_of, readers
from compliance.web.access import held_by
from compliance.web.components import SummaryList, SummaryRow
from compliance.web.errors import NotFound

setters = held_by(*MAY_SET_LADDER)
URGENCIES = {"at-once": True, "in-time": False}
WORDS = {"at-once": "When somebody must be told immediately", "in-time": "When no haste is prescribed"}


@readers
@never_cache
@require_safe
def ladders(request: CasinoRequest, casino: str) -> HttpResponse:
    shown = [(slug, WORDS[slug], _summary(*_ladder(request.casino, slug))) for slug in URGENCIES]
    may_set = request.user.holds(*MAY_SET_LADDER, casino=request.casino)
    return render(request, "alerts/ladders.html", {"casino": request.casino, "ladders": shown, "may_set": may_set})


def _ladder(casino: Casino, urgency: str) -> tuple[tuple[Rung, ...], EscalationRule | None]:
    rule = EscalationRule.objects.in_force(casino.pk, URGENCIES[urgency], timezone.now())
    return (read_rungs(rule.rungs), rule) if rule else (usual_ladder(URGENCIES[urgency]), None)


def _summary(rungs: tuple[Rung, ...], rule: EscalationRule | None) -> SummaryList:
    rows = [SummaryRow(f"After {rung.minutes} min", ", ".join(role.label for role in rung.roles)) for rung in rungs]
    said = f"{rule.by_name}: {rule.reason}" if rule else "As the service proposes; nobody has set another."
    return SummaryList([SummaryRow("At once", "Whoever must be told"), *rows, SummaryRow("Set by", said)])


@setters
@never_cache
@asks_first
def change(request: CasinoRequest, casino: str, urgency: str) -> HttpResponse:
    if urgency not in URGENCIES:
        raise NotFound
    rungs, _ = _ladder(request.casino, urgency)
    form = LadderForm(posted(request), request=request, initial=_initial(rungs))
    act = Act(
        f"{WORDS[urgency]}: who is told next at {request.casino}",
        ("It holds for alerts raised from now on. Those that wait keep the ladder they were raised with.",),
        "Set the ladder", address_of("ladders", request.casino), "Who is told next", "The ladder is set.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: set_ladder(
            casino=request.casino, immediately=URGENCIES[urgency], rungs=form.rungs(),
            reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip


def _initial(rungs: tuple[Rung, ...]) -> dict[str, Any]:
    names = zip(("first", "second"), rungs, strict=False)
    return {
        key: value
        for name, rung in names
        for key, value in ((f"{name}_minutes", rung.minutes), (f"{name}_roles", [role.value for role in rung.roles]))
    }
