"""Which systems are told at a casino, one of them with its log, and all that can be done to it."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.sign_off import SignOffForm
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.evidence.selectors import MAY_READ as MAY_READ_LEDGER
from compliance.web.access import held_by
from compliance.web.components import (
    Column,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Table,
    Timeline,
    TimelineEntry,
)
from compliance.web.errors import Refusal
from compliance.web.templatetags.kit import local
from compliance.webhooks import services
from compliance.webhooks.errors import NoWebhookKey
from compliance.webhooks.forms import DeliveryFilter, EndpointForm, ReasonForm
from compliance.webhooks.models import Delivery, Endpoint
from compliance.webhooks.selectors import MAY_KEEP, MAY_SEE, access_endpoint, endpoints_of, search_deliveries
from compliance.webhooks.signing import public_key
from compliance.webhooks.states import Standing

seers = held_by(*MAY_SEE)
keepers = held_by(*MAY_KEEP)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"webhooks:{name}", kwargs={"casino": casino.slug, **kwargs})


@seers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_SEE, lambda casino: address_of("endpoints", casino),
        title="Webhooks", caption="Casinos whose events other systems are told of",
    )  # fmt: skip


@seers
@never_cache
@require_safe
def endpoints(request: CasinoRequest, casino: str) -> HttpResponse:
    place = request.casino
    table = Table(
        caption=f"Systems that are told of events at {place}",
        columns=(
            Column(
                "System", "name", sort="name", is_row_heading=True,
                link=lambda row: address_of("endpoint", place, endpoint=row.pk),
            ),
            Column("State", "tag", sort="standing"),
            Column("Address", "address"),
            Column("Told of", "event_words"),
        ),
        rows=endpoints_of(place),
        query=request.GET,
        sort="name",
        is_caption_hidden=True,
        empty="No other system is told of what happens here.",
    )  # fmt: skip
    may_keep = request.user.holds(*MAY_KEEP, casino=place)
    return render(request, "webhooks/endpoints.html", {"casino": place, "table": table, "may_keep": may_keep})


@keepers
@never_cache
@asks_first
def new(request: CasinoRequest, casino: str) -> HttpResponse:
    form = EndpointForm(posted(request), request=request)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.register_endpoint(
                casino=request.casino, **form.said(), actor=request.user, now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            return redirect(address_of("endpoint", request.casino, endpoint=made.pk))
    return render(request, "webhooks/new.html", {"casino": request.casino, "form": form})


@seers
@never_cache
@require_safe
def endpoint(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    form = DeliveryFilter(request.GET)
    chosen = form.chosen()
    context = {
        "casino": request.casino,
        "endpoint": found,
        "may_keep": request.user.holds(*MAY_KEEP, casino=request.casino) and found.standing != Standing.REMOVED,
        "is_active": found.standing == Standing.ACTIVE,
        "summary": _summary(found),
        "steps": _timeline(request, found),
        "panel": FilterPanel(form),
        "table": Table(
            caption="Messages, the newest first",
            columns=_columns(request.casino),
            rows=search_deliveries(found, **chosen),
            query=request.GET,
            sort="-made_at",
            is_caption_hidden=True,
            empty="No message fits." if any(chosen.values()) else "Nothing was sent yet.",
        ),
    }
    return render(request, "webhooks/endpoint.html", context)


def _summary(endpoint: Endpoint) -> SummaryList:
    try:
        key = public_key()
    except NoWebhookKey as refused:
        key = refused.detail
    rows = [
        SummaryRow("State", endpoint.tag),
        SummaryRow("Address", endpoint.address),
        SummaryRow("Told of", endpoint.event_words),
        SummaryRow("Public key for the receiver", key),
    ]
    return SummaryList(rows)


def _timeline(request: CasinoRequest, endpoint: Endpoint) -> Timeline:
    steps = [
        TimelineEntry(
            step.get_act_display(), step.at, step.by_name or "by the service itself",
            f"{step.name}, {step.address}. {step.reason}".strip(),
            href=entry_of(request, step.entry_index),
        )
        for step in endpoint.steps.order_by("entry_index")
    ]  # fmt: skip
    return Timeline(steps, request.casino, "What was done to it")


def entry_of(request: CasinoRequest, index: int) -> str:
    """The page of an entry, for those who may read the ledger: administrators keep webhooks and do not."""
    may_read = request.user.holds(*MAY_READ_LEDGER, casino=request.casino)
    return reverse("evidence:entry", kwargs={"casino": request.casino.slug, "index": index}) if may_read else ""


def _columns(casino: Casino) -> tuple[Column, ...]:
    def page(row: Delivery) -> str:
        return address_of("delivery", casino, endpoint=row.endpoint_id, delivery=row.pk)

    return (
        Column("Event", lambda row: row.get_event_display(), sort="event", is_row_heading=True, link=page),
        Column(
            "Message", lambda row: format_html('<code class="broken">{}</code>', row.message_id), sort="entry_index"
        ),
        Column("State", "tag", sort="state"),
        Column("Made", lambda row: local(row.made_at, casino), sort="made_at"),
        Column("Attempts", "attempts_made", sort="attempts_made", is_figure=True),
        Column("Delivered", lambda row: local(row.delivered_at, casino), sort="delivered_at"),
    )


@keepers
@never_cache
@asks_first
def change(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    initial = {"name": found.name, "address": found.address, "events": found.events}
    form = EndpointForm(posted(request), request=request, initial=initial)
    act = _act(
        request, found, f"Change the webhook {found.name}",
        "What was not delivered yet is sent to the new address. The change is an entry of the ledger.",
        submit="Save the change", done="The webhook is changed.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: services.change_endpoint(endpoint=found, **form.said(), actor=request.user, now=timezone.now()),
    )  # fmt: skip


@keepers
@never_cache
@asks_first
def off(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    form = ReasonForm(posted(request), request=request)
    act = _act(
        request, found, f"Switch off the webhook {found.name}",
        "What waits goes on waiting until it is switched on again.",
        "What is recorded from now on until then is never sent: the other system has to read it.",
        submit="Switch off", done="The webhook is switched off.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: services.switch_off(
            endpoint=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@keepers
@never_cache
@asks_first
def on(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    act = _act(
        request, found, f"Switch on the webhook {found.name}",
        "What waited is sent now, in its order, and what is recorded from now on.",
        "What was given up stays so, until somebody has it sent again.",
        submit="Switch on", done="The webhook is switched on.",
    )  # fmt: skip
    return act_page(
        request, act, SignOffForm(posted(request), request=request),
        lambda: services.switch_on(endpoint=found, actor=request.user, now=timezone.now()),
    )  # fmt: skip


@keepers
@never_cache
@asks_first
def remove(request: CasinoRequest, casino: str, endpoint: int) -> HttpResponse:
    found = access_endpoint(request.user, request.casino, endpoint)
    form = ReasonForm(posted(request), request=request)
    act = _act(
        request, found, f"Remove the webhook {found.name}",
        "The other system is told nothing more, not even what waits.",
        "Its record and its log stay. To take it back, register it anew.",
        submit="Remove", done="The webhook is removed.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: services.remove_endpoint(
            endpoint=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


def _act(
    request: CasinoRequest, endpoint: Endpoint, title: str, *consequences: str, submit: str, done: str,
    is_danger: bool = False,
) -> Act:  # fmt: skip
    back = address_of("endpoint", request.casino, endpoint=endpoint.pk)
    return Act(title, consequences, submit, back, endpoint.name, done, is_danger)
