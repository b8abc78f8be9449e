"""One message with every attempt, a test, and sending again what was given up."""

import json

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.web.components import Column, SummaryList, SummaryRow, Table
from compliance.web.errors import Refusal
from compliance.web.templatetags.kit import local
from compliance.webhooks.models import Delivery
from compliance.webhooks.selectors import MAY_KEEP, access_delivery, access_endpoint
from compliance.webhooks.services import send_again, send_test
from compliance.webhooks.states import Sending, Standing
from compliance.webhooks.views.endpoints import address_of, entry_of, keepers, seers


@seers
@never_cache
@require_safe
def delivery(request: CasinoRequest, casino: str, endpoint: int, delivery: int) -> HttpResponse:
    found = access_delivery(request.user, request.casino, endpoint, delivery)
    may_keep = request.user.holds(*MAY_KEEP, casino=request.casino)
    context = {
        "casino": request.casino,
        "endpoint": found.endpoint,
        "delivery": found,
        "may_send_again": may_keep
        and found.state == Sending.GIVEN_UP
        and found.endpoint.standing == Standing.ACTIVE,
        "summary": _summary(request, found),
        "table": _attempts(request, found),
        "body": json.dumps(json.loads(found.body), indent=2, ensure_ascii=False),
    }  # fmt: skip
    return render(request, "webhooks/delivery.html", context)


def _summary(request: CasinoRequest, delivery: Delivery) -> SummaryList:
    casino = request.casino
    rows = [
        SummaryRow("State", delivery.tag),
        SummaryRow("Id", delivery.message_id),
        SummaryRow("Made", local(delivery.made_at, casino)),
    ]
    if delivery.entry_index is not None:
        href = entry_of(request, delivery.entry_index)
        rows.append(SummaryRow("Tells of", f"Entry {delivery.entry_index:,}", href, "Open"))
    if delivery.state == Sending.WAITING:
        rows.append(SummaryRow("Next attempt", local(delivery.next_try_at, casino)))
    return SummaryList(rows)


def _attempts(request: CasinoRequest, delivery: Delivery) -> Table:
    return Table(
        caption="Attempts",
        columns=(
            Column("Attempt", "number", sort="number", is_row_heading=True),
            Column("Begun", lambda row: local(row.started_at, request.casino), sort="started_at"),
            Column("Answer", lambda row: row.status or "", sort="status", is_figure=True),
            Column("Milliseconds", lambda row: _figure(row.milliseconds), is_figure=True),
            Column("What came of it", "words"),
        ),
        rows=delivery.attempts.all(),
        query=request.GET,
        sort="-number",
        empty="It was not tried yet.",
    )


def _figure(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


@keepers
@never_cache
@require_POST
def test(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    try:
        made = send_test(endpoint=found, actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.words)
        return redirect(address_of("endpoint", request.casino, endpoint=found.pk))
    messages.success(request, "The test is on its way. Load this page again in some seconds to see what came of it.")
    return redirect(address_of("delivery", request.casino, endpoint=found.pk, delivery=made.pk))


@keepers
@never_cache
@require_POST
def again(request: CasinoRequest, casino: str, endpoint: int, delivery: int) -> HttpResponse:
    found = access_delivery(request.user, request.casino, endpoint, delivery)
    try:
        send_again(delivery=found, actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.words)
    else:
        messages.success(request, "It is sent again, under the same id.")
    return redirect(address_of("delivery", request.casino, endpoint=endpoint, delivery=delivery))
