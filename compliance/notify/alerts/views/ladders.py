"""The escalation ladder: shown to everybody who reads alerts, set by compliance and authority officers."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import SummaryList, SummaryRow
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.notify.alerts.ladder import EscalationRung, default_ladder, read_rungs
from compliance.notify.alerts.models import EscalationRule
from compliance.notify.alerts.services import MAY_SET_LADDER, set_ladder
from compliance.notify.alerts.views.forms import LadderForm
from compliance.notify.alerts.views.inbox import alert_readers_only

ladder_setters_only = require_roles(*MAY_SET_LADDER)
URGENCIES = {"at-once": True, "in-time": False}
URGENCY_LABELS = {"at-once": "When somebody must be told immediately", "in-time": "When no haste is prescribed"}


@alert_readers_only
@require_safe
def show_ladders(request: CasinoRequest, casino: str) -> HttpResponse:
    shown = [
        (slug, URGENCY_LABELS[slug], _ladder_summary(*_current_ladder(request.casino, slug))) for slug in URGENCIES
    ]
    may_set = request.user.has_role(*MAY_SET_LADDER, casino=request.casino)
    return render(request, "alerts/ladders.html", {"casino": request.casino, "ladders": shown, "may_set": may_set})


def _current_ladder(casino: Casino, urgency: str) -> tuple[tuple[EscalationRung, ...], EscalationRule | None]:
    rule = EscalationRule.objects.in_force(casino.pk, URGENCIES[urgency], timezone.now())
    return (read_rungs(rule.rungs), rule) if rule else (default_ladder(URGENCIES[urgency]), None)


def _ladder_summary(rungs: tuple[EscalationRung, ...], rule: EscalationRule | None) -> SummaryList:
    rows = [SummaryRow(f"After {rung.minutes} min", ", ".join(role.label for role in rung.roles)) for rung in rungs]
    set_by = f"{rule.by_name}: {rule.reason}" if rule else "As the service proposes; nobody has set another."
    return SummaryList([SummaryRow("At once", "Whoever must be told"), *rows, SummaryRow("Set by", set_by)])


@ladder_setters_only
@allow_get_post
def change_ladder(request: CasinoRequest, casino: str, urgency: str) -> HttpResponse:
    if urgency not in URGENCIES:
        raise NotFound
    rungs, _ = _current_ladder(request.casino, urgency)
    form = LadderForm(bound_data(request), request=request, initial=_initial_form_values(rungs))
    act = ConfirmPage(
        f"{URGENCY_LABELS[urgency]}: who is told next at {request.casino}",
        ("It holds for alerts raised from now on. Those that wait keep the ladder they were raised with.",),
        "Set the ladder",
        casino_url("alerts:ladders", request.casino),
        "Who is told next",
        "The ladder is set.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: set_ladder(
            casino=request.casino,
            immediately=URGENCIES[urgency],
            rungs=form.rungs(),
            reason=form.cleaned_data["reason"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


def _initial_form_values(rungs: tuple[EscalationRung, ...]) -> dict[str, Any]:
    names = zip(("first", "second"), rungs, strict=False)
    return {
        key: value
        for name, rung in names
        for key, value in ((f"{name}_minutes", rung.minutes), (f"{name}_roles", [role.value for role in rung.roles]))
    }
