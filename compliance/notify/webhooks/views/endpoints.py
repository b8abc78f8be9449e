"""Endpoints of a casino, one endpoint with its deliveries, and the actions on it."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.access import require_roles
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import (
    Column,
    DataTable,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.notify.webhooks import services
from compliance.notify.webhooks.delivery.message_signature import public_key_text
from compliance.notify.webhooks.errors import NoWebhookKey
from compliance.notify.webhooks.forms import DeliveryFilter, EndpointForm, EndpointReasonForm
from compliance.notify.webhooks.models import Delivery, Endpoint
from compliance.notify.webhooks.selectors import MAY_MANAGE, MAY_VIEW, access_endpoint, endpoints_of, search_deliveries
from compliance.notify.webhooks.states import EndpointState
from compliance.transparency.ledger_pages.selectors import MAY_READ as MAY_READ_LEDGER

viewers_only = require_roles(*MAY_VIEW)
managers_only = require_roles(*MAY_MANAGE)


@viewers_only
@require_safe
def choose_webhooks_casino(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_VIEW,
        lambda casino: casino_url("webhooks:endpoints", casino),
        title="Webhooks",
        caption="Casinos whose events other systems are told of",
    )


@viewers_only
@require_safe
def list_endpoints(request: CasinoRequest, casino: str) -> ListResponse:
    place = request.casino
    table = DataTable(
        caption=f"Systems that are told of events at {place}",
        columns=(
            Column(
                "System",
                "name",
                sort="name",
                is_row_heading=True,
                link=lambda row: casino_url("webhooks:endpoint", place, endpoint=row.pk),
            ),
            Column("State", "tag", sort="standing"),
            Column("Address", "address"),
            Column("Told of", "event_labels"),
        ),
        rows=endpoints_of(place),
        sort="name",
        is_caption_hidden=True,
        empty="No other system is told of what happens here.",
    )
    may_keep = request.user.has_role(*MAY_MANAGE, casino=place)
    return list_response(request, "webhooks/endpoints.html", {"table": table, "may_keep": may_keep})


@managers_only
@allow_get_post
def register_endpoint_page(request: CasinoRequest, casino: str) -> HttpResponse:
    form = EndpointForm(bound_data(request), request=request)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.register_endpoint(
                casino=request.casino, **form.endpoint_values(), actor=request.user, now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            return redirect(casino_url("webhooks:endpoint", request.casino, endpoint=made.pk))
    return render(request, "webhooks/new.html", {"casino": request.casino, "form": form})


DELIVERIES = FilteredList(
    "webhooks:endpoint",
    lambda asked, endpoint: DeliveryFilter(asked.parameters),
    lambda asked, chosen, endpoint: search_deliveries(access_endpoint(asked.person, asked.casino, endpoint), **chosen),
)


@viewers_only
@require_safe
def show_endpoint(request: CasinoRequest, casino: str, endpoint: int) -> ListResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    form, rows = DELIVERIES(ListQuery.from_request(request), endpoint=endpoint)
    context = {
        "endpoint": found,
        "may_keep": request.user.has_role(*MAY_MANAGE, casino=request.casino)
        and found.standing != EndpointState.REMOVED,
        "is_active": found.standing == EndpointState.ACTIVE,
        "summary": _endpoint_summary(found),
        "steps": _endpoint_timeline(request, found),
        "panel": FilterPanel(form),
        "table": DataTable(
            caption="Messages, the newest first",
            columns=_delivery_columns(request.casino),
            rows=rows,
            sort="-made_at",
            is_caption_hidden=True,
            empty="No message fits." if any(form.valid_values().values()) else "Nothing was sent yet.",
        ),
    }
    return list_response(request, "webhooks/endpoint.html", context)


def _endpoint_summary(endpoint: Endpoint) -> SummaryList:
    try:
        key = public_key_text()
    except NoWebhookKey as refused:
        key = refused.detail
    rows = [
        SummaryRow("State", endpoint.tag),
        SummaryRow("Address", endpoint.address),
        SummaryRow("Told of", endpoint.event_labels),
        SummaryRow("Public key for the receiver", key),
    ]
    return SummaryList(rows)


def _endpoint_timeline(request: CasinoRequest, endpoint: Endpoint) -> Timeline:
    steps = [
        TimelineEntry(
            step.get_act_display(),
            step.at,
            step.by_name or "by the service itself",
            f"{step.name}, {step.address}. {step.reason}".strip(),
            href=readable_entry_url(request, step.entry_index),
        )
        for step in endpoint.steps.order_by("entry_index")
    ]
    return Timeline(steps, request.casino, "What was done to it")


def readable_entry_url(request: CasinoRequest, index: int) -> str:
    """The page of an entry, for those who may read the ledger: administrators manage webhooks but may not."""
    may_read = request.user.has_role(*MAY_READ_LEDGER, casino=request.casino)
    return entry_url(request.casino, index) if may_read else ""


def _delivery_columns(casino: Casino) -> tuple[Column, ...]:
    def delivery_url(row: Delivery) -> str:
        return casino_url("webhooks:delivery", casino, endpoint=row.endpoint_id, delivery=row.pk)

    return (
        Column("Event", lambda row: row.get_event_display(), sort="event", is_row_heading=True, link=delivery_url),
        Column(
            "Message",
            "message_id",
            sort="entry_index",
            display=lambda row: format_html('<code class="broken">{}</code>', row.message_id),
        ),
        Column("State", "tag", sort="state"),
        Column("Made", "made_at", sort="made_at"),
        Column("Attempts", "attempts_made", sort="attempts_made", is_figure=True),
        Column("Delivered", "delivered_at", sort="delivered_at"),
    )


@managers_only
@allow_get_post
def change_endpoint_page(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    initial = {"name": found.name, "address": found.address, "events": found.events}
    form = EndpointForm(bound_data(request), request=request, initial=initial)
    act = _endpoint_confirm_page(
        request,
        found,
        f"Change the webhook {found.name}",
        "What was not delivered yet is sent to the new address. The change is an entry of the ledger.",
        submit="Save the change",
        done="The webhook is changed.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: services.change_endpoint(
            endpoint=found, **form.endpoint_values(), actor=request.user, now=timezone.now()
        ),
    )


@managers_only
@allow_get_post
def disable_endpoint_page(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    form = EndpointReasonForm(bound_data(request), request=request)
    act = _endpoint_confirm_page(
        request,
        found,
        f"Switch off the webhook {found.name}",
        "What waits goes on waiting until it is switched on again.",
        "What is recorded from now on until then is never sent: the other system has to read it.",
        submit="Switch off",
        done="The webhook is switched off.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: services.disable_endpoint(
            endpoint=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )


@managers_only
@allow_get_post
def enable_endpoint_page(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    act = _endpoint_confirm_page(
        request,
        found,
        f"Switch on the webhook {found.name}",
        "What waited is sent now, in its order, and what is recorded from now on.",
        "What was given up stays so, until somebody has it sent again.",
        submit="Switch on",
        done="The webhook is switched on.",
    )
    return confirm_page(
        request,
        act,
        ReauthenticateForm(bound_data(request), request=request),
        lambda: services.enable_endpoint(endpoint=found, actor=request.user, now=timezone.now()),
    )


@managers_only
@allow_get_post
def remove_endpoint_page(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    form = EndpointReasonForm(bound_data(request), request=request)
    act = _endpoint_confirm_page(
        request,
        found,
        f"Remove the webhook {found.name}",
        "The other system is told nothing more, not even what waits.",
        "Its record and its log stay. To take it back, register it anew.",
        submit="Remove",
        done="The webhook is removed.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: services.remove_endpoint(
            endpoint=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )


def _endpoint_confirm_page(
    request: CasinoRequest,
    endpoint: Endpoint,
    title: str,
    *consequences: str,
    submit: str,
    done: str,
    is_danger: bool = False,
) -> ConfirmPage:
    back = casino_url("webhooks:endpoint", request.casino, endpoint=endpoint.pk)
    return ConfirmPage(title, consequences, submit, back, endpoint.name, done, is_danger)
