"""One delivery with its attempts, test messages, and resending what was given up."""

import json

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.notify.webhooks.models import Delivery
from compliance.notify.webhooks.selectors import MAY_MANAGE, access_delivery, access_endpoint
from compliance.notify.webhooks.services import resend_delivery, send_test_message
from compliance.notify.webhooks.states import DeliveryState, EndpointState
from compliance.notify.webhooks.views.endpoints import managers_only, readable_entry_url, viewers_only


@viewers_only
@require_safe
def show_delivery(request: CasinoRequest, casino: str, endpoint: int, delivery: int) -> ListResponse:
    found = access_delivery(request.user, request.casino, endpoint, delivery)
    may_keep = request.user.has_role(*MAY_MANAGE, casino=request.casino)
    context = {
        "endpoint": found.endpoint,
        "delivery": found,
        "may_send_again": may_keep
        and found.state == DeliveryState.GIVEN_UP
        and found.endpoint.standing == EndpointState.ACTIVE,
        "summary": _delivery_summary(request, found),
        "table": _attempts_table(found),
        "body": json.dumps(json.loads(found.body), indent=2, ensure_ascii=False),
    }
    return list_response(request, "webhooks/delivery.html", context)


def _delivery_summary(request: CasinoRequest, delivery: Delivery) -> SummaryList:
    casino = request.casino
    rows = [
        SummaryRow("State", delivery.tag),
        SummaryRow("Id", delivery.message_id),
        SummaryRow("Made", local(delivery.made_at, casino)),
    ]
    if delivery.entry_index is not None:
        href = readable_entry_url(request, delivery.entry_index)
        rows.append(SummaryRow("Tells of", f"Entry {delivery.entry_index:,}", href, "Open"))
    if delivery.state == DeliveryState.WAITING:
        rows.append(SummaryRow("Next attempt", local(delivery.next_try_at, casino)))
    return SummaryList(rows)


def _attempts_table(delivery: Delivery) -> DataTable:
    return DataTable(
        caption="Attempts",
        columns=(
            Column("Attempt", "number", sort="number", is_row_heading=True),
            Column("Begun", "started_at", sort="started_at"),
            Column("Answer", lambda row: row.status or "", sort="status", is_figure=True),
            Column("Milliseconds", lambda row: _format_number(row.duration_milliseconds), is_figure=True),
            Column("What came of it", "outcome_text"),
        ),
        rows=delivery.attempts.all(),
        sort="-number",
        empty="It was not tried yet.",
    )


def _format_number(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


@managers_only
@require_POST
def send_test_page(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    try:
        made = send_test_message(endpoint=found, actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.full_message)
        return redirect(casino_url("webhooks:endpoint", request.casino, endpoint=found.pk))
    messages.success(request, "The test is on its way. Load this page again in some seconds to see what came of it.")
    return redirect(casino_url("webhooks:delivery", request.casino, endpoint=found.pk, delivery=made.pk))


@managers_only
@require_POST
def resend_page(request: CasinoRequest, casino: str, endpoint: int, delivery: int) -> HttpResponse:
    found = access_delivery(request.user, request.casino, endpoint, delivery)
    try:
        resend_delivery(delivery=found, actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.full_message)
    else:
        messages.success(request, "It is sent again, under the same id.")
    return redirect(casino_url("webhooks:delivery", request.casino, endpoint=endpoint, delivery=delivery))
