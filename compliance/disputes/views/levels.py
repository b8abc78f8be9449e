"""How long each step may take at a casino, and its own procedure where the rules are silent."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.disputes.clocks import WAITS, Wait, hours_allowed
from compliance.disputes.forms import LevelForm, ProcedureForm
from compliance.disputes.selectors import own_procedure_of
from compliance.disputes.services import set_service_level, state_own_procedure
from compliance.disputes.standing import MAY_SET
from compliance.disputes.views.places import address_of, floor_readers, setters
from compliance.web.components import Column, Table
from compliance.web.errors import NotFound


@floor_readers
@never_cache
@require_safe
def levels(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()

    def words(wait: Wait) -> SafeString:
        return format_html('Change<span class="visually-hidden"> the time for: {}</span>', wait.label)

    columns = [
        Column("Step", "label", is_row_heading=True),
        Column("Hours allowed", lambda wait: hours_allowed(request.casino, wait, now), is_figure=True),
    ]
    may_set = request.user.holds(*MAY_SET, casino=request.casino)
    if may_set:
        columns.append(
            Column("Action", words, link=lambda wait: address_of("set-level", request.casino, wait=wait.slug))
        )
    table = Table(caption="How long each step may take", columns=columns, rows=list(WAITS.values()))
    context = {
        "casino": request.casino, "table": table, "procedure": own_procedure_of(request.casino), "may_set": may_set,
    }  # fmt: skip
    return render(request, "disputes/levels.html", context)


@setters
@never_cache
@asks_first
def set_level(request: CasinoRequest, casino: str, wait: str) -> HttpResponse:
    if wait not in WAITS:
        raise NotFound
    about = WAITS[wait]
    hours = hours_allowed(request.casino, about, timezone.now())
    form = LevelForm(posted(request), request=request, initial={"hours": hours})
    act = Act(
        f"How long it may take: {about.label[:1].lower()}{about.label[1:]}",
        ("It holds for steps that begin from now on. What waits already keeps its time.",),
        "Set the time", address_of("levels", request.casino), "How long steps may take", "The new time holds.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: set_service_level(
            casino=request.casino, wait=wait, hours=form.cleaned_data["hours"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@setters
@never_cache
@asks_first
def procedure(request: CasinoRequest, casino: str) -> HttpResponse:
    stated = own_procedure_of(request.casino)
    form = ProcedureForm(posted(request), request=request, initial={"text": stated.text if stated else ""})
    act = Act(
        "The operator's own procedure", ("It is shown where the rules of the game say nothing about disputes.",),
        "State the procedure", address_of("levels", request.casino), "How long steps may take", "It is recorded.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: state_own_procedure(
            casino=request.casino, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip
