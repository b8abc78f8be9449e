"""Service levels of a casino, and its own procedure where the rules are silent."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.disputes.deadlines import WAITS, Wait, hours_allowed
from compliance.disputes.forms import OwnProcedureForm, ServiceLevelForm
from compliance.disputes.permissions import MAY_SET_POLICIES
from compliance.disputes.selectors import own_procedure_of
from compliance.disputes.services import set_own_procedure, set_service_level
from compliance.disputes.views.common import floor_readers_only, policy_setters_only


@floor_readers_only
@require_safe
def service_levels(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()

    def change_link(wait: Wait) -> SafeString:
        return format_html('Change<span class="visually-hidden"> the time for: {}</span>', wait.label)

    columns = [
        Column("Step", "label", is_row_heading=True),
        Column("Hours allowed", lambda wait: hours_allowed(request.casino, wait, now), is_figure=True),
    ]
    may_set = request.user.has_role(*MAY_SET_POLICIES, casino=request.casino)
    if may_set:
        columns.append(
            Column(
                "Action",
                change_link,
                link=lambda wait: casino_url("disputes:set-level", request.casino, wait=wait.slug),
            )
        )
    table = DataTable(caption="How long each step may take", columns=columns, rows=list(WAITS.values()))
    context = {
        "casino": request.casino,
        "table": table,
        "procedure": own_procedure_of(request.casino),
        "may_set": may_set,
    }
    return render(request, "disputes/levels.html", context)


@policy_setters_only
@allow_get_post
def edit_service_level(request: CasinoRequest, casino: str, wait: str) -> HttpResponse:
    if wait not in WAITS:
        raise NotFound
    about = WAITS[wait]
    hours = hours_allowed(request.casino, about, timezone.now())
    form = ServiceLevelForm(bound_data(request), request=request, initial={"hours": hours})
    act = ConfirmPage(
        f"How long it may take: {about.label[:1].lower()}{about.label[1:]}",
        ("It holds for steps that begin from now on. What waits already keeps its time.",),
        "Set the time",
        casino_url("disputes:levels", request.casino),
        "How long steps may take",
        "The new time holds.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: set_service_level(
            casino=request.casino, wait=wait, hours=form.cleaned_data["hours"], actor=request.user, now=timezone.now()
        ),
    )


@policy_setters_only
@allow_get_post
def edit_own_procedure(request: CasinoRequest, casino: str) -> HttpResponse:
    stated = own_procedure_of(request.casino)
    form = OwnProcedureForm(bound_data(request), request=request, initial={"text": stated.text if stated else ""})
    act = ConfirmPage(
        "The operator's own procedure",
        ("It is shown where the rules of the game say nothing about disputes.",),
        "State the procedure",
        casino_url("disputes:levels", request.casino),
        "How long steps may take",
        "It is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: set_own_procedure(
            casino=request.casino, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )
