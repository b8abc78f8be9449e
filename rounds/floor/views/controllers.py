"""Controllers: which there are, the tables they speak for, and the keys that two people made them trusted by."""

from typing import Any

from django import forms
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.components import Column, Kind, SummaryList, SummaryRow, Table, Tag
from compliance.web.errors import NotFound
from compliance.web.templatetags.kit import local
from rounds.floor import models
from rounds.floor.forms import ApproveKeyForm, GiveTableForm, ProposeKeyForm, ReasonForm, RegisterControllerForm
from rounds.floor.models import Controller, ControllerKey, ControllerTable
from rounds.floor.selectors import access_controller, access_key
from rounds.floor.services import (
    approve_key,
    end_controller_table,
    give_controller_table,
    propose_key,
    register_controller,
    revoke_key,
)
from rounds.floor.standing import MAY_READ
from rounds.floor.views.presenting import (
    address_of,
    entry_link,
    link,
    may_register,
    registrars,
    seers_of_controllers,
)

KEY_KINDS: dict[str, Kind] = {"waiting": "warning", "approved": "info", "active": "success", "revoked": "danger"}


@seers_of_controllers
@require_safe
def controllers(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    counted = Controller.objects.filter(casino=request.casino).annotate(
        active=Count("keys", filter=Q(keys__in=ControllerKey.objects.active(now)), distinct=True),
        waiting=Count("keys", filter=Q(keys__in=ControllerKey.objects.waiting()), distinct=True),
        speaks_for=Count("tables", filter=Q(tables__in=ControllerTable.objects.at(now)), distinct=True),
    )

    def state(controller: Any) -> Tag:
        if controller.waiting:
            return Tag("Key waits for approval", "warning")
        return Tag("Trusted", "success") if controller.active else Tag("No key", "neutral")

    context = {
        "casino": request.casino,
        "may_register": may_register(request.user, request.casino),
        "may_read": request.user.holds(*MAY_READ, casino=request.casino),
        "table": Table(
            caption=f"Controllers of {request.casino}",
            columns=(
                Column(
                    "Controller", "name", sort="name", is_row_heading=True,
                    link=lambda one: address_of("controller", request.casino, controller=one.slug),
                ),
                Column("Short name", "slug", sort="slug"),
                Column("Tables", "speaks_for", is_figure=True),
                Column("State", state),
                Column("Registered", lambda one: local(one.registered_at, request.casino), sort="registered_at"),
            ),
            rows=counted,
            query=request.GET,
            sort="name",
            empty="No controller is registered yet.",
        ),
    }  # fmt: skip
    return render(request, "floor/controllers.html", context)


@seers_of_controllers
@never_cache
@require_safe
def controller(request: CasinoRequest, casino: str, controller: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    may = may_register(request.user, request.casino)
    # Administrators register controllers and do not read the ledger.
    may_read = request.user.holds(*MAY_READ, casino=request.casino)
    entry = entry_link(request.casino, found.entry_index) if may_read else f"entry {found.entry_index}"
    context = {
        "casino": request.casino,
        "controller": found,
        "may_register": may,
        "summary": SummaryList(
            (
                SummaryRow("Short name", found.slug),
                SummaryRow(
                    "Registered",
                    format_html("{}, {}, {}", local(found.registered_at, request.casino), found.registered_by, entry),
                ),
            )
        ),
        "keys": _keys(request, found, may),
        "tables": _tables(request, found, may),
    }
    return render(request, "floor/controller.html", context)


def _keys(request: CasinoRequest, found: Controller, may: bool) -> Table:
    now = timezone.now()

    def state(key: ControllerKey) -> Tag:
        word = key.state(now)
        return Tag(word.capitalize(), KEY_KINDS[word])

    def approved(key: ControllerKey) -> Any:
        return _who_when(key.approved_by, key.approved_at, request.casino)

    columns = [
        Column("Key", "key_id", is_row_heading=True),
        Column("State", state),
        Column("Proposed", lambda key: _who_when(key.proposed_by, key.proposed_at, request.casino)),
        Column("Approved", approved),
        Column("Counts from", lambda key: local(key.valid_from, request.casino)),
        Column("Revoked", lambda key: _who_when(key.revoked_by, key.revoked_at, request.casino)),
    ]
    if may:
        columns.append(Column("Action", lambda key: _key_actions(request, found, key)))
    return Table(
        caption="Keys",
        columns=columns,
        rows=found.keys.select_related("proposed_by", "approved_by", "revoked_by"),
        query=request.GET,
        empty="No key was proposed yet, so nothing this controller sends is believed.",
        name="keys",
    )


def _key_actions(request: CasinoRequest, found: Controller, key: ControllerKey) -> Any:
    if key.revoked_at:
        return ""
    place = {"controller": found.slug, "key": key.key_id}
    revoke = link(address_of("revoke-key", request.casino, **place), "Revoke", f"key {key.key_id}")
    if key.approved_at or key.proposed_by_id == request.user.pk:
        return revoke
    approve = link(address_of("approve-key", request.casino, **place), "Approve", f"key {key.key_id}")
    return format_html("{} · {}", approve, revoke)


def _who_when(person: Any, at: Any, casino: Casino) -> Any:
    return format_html("{}, {}", person, local(at, casino)) if at else ""


def _tables(request: CasinoRequest, found: Controller, may: bool) -> Table:
    def action(given: ControllerTable) -> Any:
        if given.until_at:
            return ""
        place = {"controller": found.slug, "given": given.pk}
        return link(address_of("end-table", request.casino, **place), "End", f"for {given.table}")

    columns = [
        Column("Table", "table.name", is_row_heading=True),
        Column("Short name", "table.slug"),
        Column("From", lambda given: local(given.from_at, request.casino)),
        Column("Until", lambda given: local(given.until_at, request.casino) or Tag("Still", "success")),
    ]
    return Table(
        caption="Tables it speaks for",
        columns=[*columns, Column("Action", action)] if may else columns,
        rows=found.tables.select_related("table").order_by("-from_at"),
        query=request.GET,
        empty="It speaks for no table yet.",
        name="tables",
    )


@registrars
@never_cache
@asks_first
def register(request: CasinoRequest, casino: str) -> HttpResponse:
    form = RegisterControllerForm(posted(request))
    act = Act(
        title=f"Register a controller at {request.casino}",
        consequences=("Then give it its tables, and propose a key: another person must approve that key.",),
        submit="Register controller",
        back=address_of("controllers", request.casino),
        back_label="Controllers",
        done="The controller is registered.",
    )
    return act_page(
        request, act, form,
        lambda: register_controller(
            casino=request.casino, slug=form.cleaned_data["slug"], name=form.cleaned_data["name"],
            actor=request.user, now=timezone.now(),
        ),
    )  # fmt: skip


def _act(found: Controller, title: str, *consequences: str, submit: str, done: str, is_danger: bool = False) -> Act:
    back = address_of("controller", found.casino, controller=found.slug)
    return Act(title, consequences, submit, back, found.name, done, is_danger)


@registrars
@never_cache
@asks_first
def give_table(request: CasinoRequest, casino: str, controller: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    given = ControllerTable.objects.filter(controller=found, until_at=None).values("table")
    free = models.Table.objects.filter(casino=request.casino, retired_at=None).exclude(pk__in=given)
    form = GiveTableForm(posted(request), tables=free)
    act = _act(
        found, f"Let {found} speak for a table",
        "From now on what it signs about that table is recorded as the table's own word.",
        submit="Give table", done="The controller speaks for the table from now on.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: give_controller_table(
            controller=found, table=form.cleaned_data["table"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@registrars
@never_cache
@asks_first
def end_table(request: CasinoRequest, casino: str, controller: str, given: int) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    one = found.tables.select_related("controller__casino", "table").filter(pk=given).first()
    if one is None:
        raise NotFound
    act = _act(
        found, f"End that {found} speaks for {one.table}",
        "What it sends about that table is refused from now on, and kept aside.",
        submit="End", done=f"It no longer speaks for {one.table}.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: end_controller_table(given=one, actor=request.user, now=timezone.now()),
    )  # fmt: skip


@registrars
@never_cache
@sensitive_post_parameters("public_key")
@asks_first
def propose(request: CasinoRequest, casino: str, controller: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    form = ProposeKeyForm(posted(request))
    act = _act(
        found, f"Propose a key for {found}",
        "Only the public half is kept. The help page on the floor has the command that makes a key.",
        "Somebody else must approve it before anything signed by it counts.",
        submit="Propose key", done="The key waits for a second person.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: propose_key(
            controller=found, public_key=form.cleaned_data["public_key"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@registrars
@never_cache
@asks_first
def approve(request: CasinoRequest, casino: str, controller: str, key: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    one = access_key(request.user, found, key)
    form = ApproveKeyForm(posted(request), request=request, zone=request.casino.zone)
    act = _act(
        found, f"Approve key {one.key_id}",
        f"{one.proposed_by} proposed it. Compare the key's name with what the controller itself shows: {one.key_id}.",
        "From then on what is signed by it counts as the word of this controller's tables. Older keys go on counting "
        "until they are revoked.",
        submit="Approve key", done="The key is approved.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: approve_key(
            key=one, actor=request.user, now=timezone.now(), valid_from=form.cleaned_data["valid_from"]
        ),
    )  # fmt: skip


@registrars
@never_cache
@asks_first
def revoke(request: CasinoRequest, casino: str, controller: str, key: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    one = access_key(request.user, found, key)
    form = ReasonForm(posted(request))
    act = _act(
        found, f"Revoke key {one.key_id}",
        "It stops counting at once and for good; what it signed before stays. One person is enough.",
        submit="Revoke key", done="The key is revoked.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: revoke_key(
            key=one, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip
