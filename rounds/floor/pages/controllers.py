"""Controllers: the list, the tables each one reports for, and its keys, which two people must propose and approve."""

from typing import Any

from django import forms
from django.db.models import Count, Q
from django.http import HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.separation import is_other_person
from compliance.core.web.errors import NotFound
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.cell_values import Phrase
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, TagKind
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.forms import ReasonForm
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.floor import models
from rounds.floor.models import Controller, ControllerKey, ControllerTable
from rounds.floor.pages.common import (
    action_link,
    controller_readers_only,
    entry_link,
    may_register_controllers,
    registrars_only,
)
from rounds.floor.pages.forms import ApproveKeyForm, AssignTableForm, ProposeKeyForm, RegisterControllerForm
from rounds.floor.permissions import MAY_READ
from rounds.floor.selectors import access_controller, access_key
from rounds.floor.services import (
    approve_key,
    assign_table,
    end_table_assignment,
    propose_key,
    register_controller,
    revoke_key,
)

KEY_STATE_TAG_KINDS: dict[str, TagKind] = {
    "waiting": "warning",
    "approved": "info",
    "active": "success",
    "revoked": "danger",
}


@controller_readers_only
@require_safe
def controllers(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    counted = Controller.objects.filter(casino=request.casino).annotate(
        active=Count("keys", filter=Q(keys__in=ControllerKey.objects.active(now)), distinct=True),
        waiting=Count("keys", filter=Q(keys__in=ControllerKey.objects.waiting()), distinct=True),
        speaks_for=Count("tables", filter=Q(tables__in=ControllerTable.objects.assigned_at(now)), distinct=True),
    )

    def state_tag(controller: Any) -> Tag:
        if controller.waiting:
            return Tag("Key waits for approval", "warning")
        return Tag("Trusted", "success") if controller.active else Tag("No key", "neutral")

    context = {
        "may_register": may_register_controllers(request.user, request.casino),
        "may_read": request.user.has_role(*MAY_READ, casino=request.casino),
        "table": DataTable(
            caption=f"Controllers of {request.casino}",
            columns=(
                Column(
                    "Controller",
                    "name",
                    sort="name",
                    is_row_heading=True,
                    link=lambda one: casino_url("floor:controller", request.casino, controller=one.slug),
                ),
                Column("Short name", "slug", sort="slug"),
                Column("Tables", "speaks_for", is_figure=True),
                Column("State", state_tag),
                Column("Registered", "registered_at", sort="registered_at"),
            ),
            rows=counted,
            sort="name",
            empty="No controller is registered yet.",
        ),
    }
    return list_response(request, "floor/controllers.html", context)


@controller_readers_only
@require_safe
def controller(request: CasinoRequest, casino: str, controller: str) -> ListResponse:
    found = access_controller(request.user, request.casino, controller)
    may = may_register_controllers(request.user, request.casino)
    # Administrators register controllers but may not read the ledger.
    may_read = request.user.has_role(*MAY_READ, casino=request.casino)
    entry = entry_link(request.casino, found.entry_index) if may_read else f"entry {found.entry_index}"
    context = {
        "controller": found,
        "may_register": may,
        "summary": SummaryList(
            (
                SummaryRow("Short name", found.slug),
                SummaryRow(
                    "Registered",
                    Phrase("{}, {}, {}", local(found.registered_at, request.casino), found.registered_by, entry),
                ),
            )
        ),
        "keys": _key_table(request, found, may),
        "tables": _assigned_tables(request, found, may),
    }
    return list_response(request, "floor/controller.html", context, lists=("keys", "tables"))


def _key_table(request: CasinoRequest, found: Controller, may: bool) -> DataTable:
    now = timezone.now()

    def state_tag(key: ControllerKey) -> Tag:
        word = key.state(now)
        return Tag(word.capitalize(), KEY_STATE_TAG_KINDS[word])

    columns = [
        Column("Key", "key_id", is_row_heading=True),
        Column("State", state_tag),
        Column("Proposed", lambda key: _person_and_time(key.proposed_by, key.proposed_at)),
        Column("Approved", lambda key: _person_and_time(key.approved_by, key.approved_at)),
        Column("Counts from", "valid_from"),
        Column("Revoked", lambda key: _person_and_time(key.revoked_by, key.revoked_at)),
    ]
    if may:
        columns.append(Column("Action", lambda key: _key_actions(request, found, key), is_control=True))
    return DataTable(
        caption="Keys",
        columns=columns,
        rows=found.keys.select_related("proposed_by", "approved_by", "revoked_by"),
        empty="No key was proposed yet, so nothing this controller sends is believed.",
        name="keys",
    )


def _key_actions(request: CasinoRequest, found: Controller, key: ControllerKey) -> Any:
    if key.revoked_at:
        return ""
    place = {"controller": found.slug, "key": key.key_id}
    revoke = action_link(casino_url("floor:revoke-key", request.casino, **place), "Revoke", f"key {key.key_id}")
    if key.approved_at or not is_other_person(request.user, key.proposed_by_id):
        return revoke
    approve = action_link(casino_url("floor:approve-key", request.casino, **place), "Approve", f"key {key.key_id}")
    return format_html("{} · {}", approve, revoke)


def _person_and_time(person: Any, at: Any) -> Phrase | None:
    return Phrase("{}, {}", person, at) if at else None


def _assigned_tables(request: CasinoRequest, found: Controller, may: bool) -> DataTable:
    def action_cell(given: ControllerTable) -> Any:
        if given.until_at:
            return ""
        place = {"controller": found.slug, "given": given.pk}
        return action_link(casino_url("floor:end-table", request.casino, **place), "End", f"for {given.table}")

    columns = [
        Column("Table", "table.name", is_row_heading=True),
        Column("Short name", "table.slug"),
        Column("From", "from_at"),
        Column("Until", lambda given: given.until_at or Tag("Still", "success")),
    ]
    return DataTable(
        caption="Tables it speaks for",
        columns=[*columns, Column("Action", action_cell, is_control=True)] if may else columns,
        rows=found.tables.select_related("table").order_by("-from_at"),
        empty="It speaks for no table yet.",
        name="tables",
    )


@registrars_only
@allow_get_post
def register_controller_page(request: CasinoRequest, casino: str) -> HttpResponse:
    form = RegisterControllerForm(bound_data(request))
    act = ConfirmPage(
        title=f"Register a controller at {request.casino}",
        consequences=("Then give it its tables, and propose a key: another person must approve that key.",),
        submit="Register controller",
        back=casino_url("floor:controllers", request.casino),
        back_label="Controllers",
        done="The controller is registered.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: register_controller(
            casino=request.casino,
            slug=form.cleaned_data["slug"],
            name=form.cleaned_data["name"],
            actor=request.user,
            now=timezone.now(),
        ),
    )


def _controller_confirm_page(
    found: Controller, title: str, *consequences: str, submit: str, done: str, is_danger: bool = False
) -> ConfirmPage:
    back = casino_url("floor:controller", found.casino, controller=found.slug)
    return ConfirmPage(title, consequences, submit, back, found.name, done, is_danger)


@registrars_only
@allow_get_post
def assign_table_page(request: CasinoRequest, casino: str, controller: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    given = ControllerTable.objects.filter(controller=found, until_at=None).values("table")
    free = models.Table.objects.filter(casino=request.casino, retired_at=None).exclude(pk__in=given)
    form = AssignTableForm(bound_data(request), tables=free)
    act = _controller_confirm_page(
        found,
        f"Let {found} speak for a table",
        "From now on what it signs about that table is recorded as the table's own word.",
        submit="Give table",
        done="The controller speaks for the table from now on.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: assign_table(
            controller=found, table=form.cleaned_data["table"], actor=request.user, now=timezone.now()
        ),
    )


@registrars_only
@allow_get_post
def end_assignment_page(request: CasinoRequest, casino: str, controller: str, given: int) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    one = found.tables.select_related("controller__casino", "table").filter(pk=given).first()
    if one is None:
        raise NotFound
    act = _controller_confirm_page(
        found,
        f"End that {found} speaks for {one.table}",
        "What it sends about that table is refused from now on, and kept aside.",
        submit="End",
        done=f"It no longer speaks for {one.table}.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: end_table_assignment(given=one, actor=request.user, now=timezone.now()),
    )


@registrars_only
@sensitive_post_parameters("public_key")
@allow_get_post
def propose_key_page(request: CasinoRequest, casino: str, controller: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    form = ProposeKeyForm(bound_data(request))
    act = _controller_confirm_page(
        found,
        f"Propose a key for {found}",
        "Only the public half is kept. The help page on the floor has the command that makes a key.",
        "Somebody else must approve it before anything signed by it counts.",
        submit="Propose key",
        done="The key needs the approval of a second person.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: propose_key(
            controller=found, public_key=form.cleaned_data["public_key"], actor=request.user, now=timezone.now()
        ),
    )


@registrars_only
@allow_get_post
def approve_key_page(request: CasinoRequest, casino: str, controller: str, key: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    one = access_key(request.user, found, key)
    form = ApproveKeyForm(bound_data(request), request=request, zone=request.casino.zone)
    act = _controller_confirm_page(
        found,
        f"Approve key {one.key_id}",
        f"{one.proposed_by} proposed it. Compare the key's name with what the controller itself shows: {one.key_id}.",
        "From then on what is signed by it counts as the word of this controller's tables. Older keys go on counting "
        "until they are revoked.",
        submit="Approve key",
        done="The key is approved.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: approve_key(
            key=one, actor=request.user, now=timezone.now(), valid_from=form.cleaned_data["valid_from"]
        ),
    )


@registrars_only
@allow_get_post
def revoke_key_page(request: CasinoRequest, casino: str, controller: str, key: str) -> HttpResponse:
    found = access_controller(request.user, request.casino, controller)
    one = access_key(request.user, found, key)
    form = ReasonForm(bound_data(request))
    act = _controller_confirm_page(
        found,
        f"Revoke key {one.key_id}",
        "It stops counting at once and for good; what it signed before stays. One person is enough.",
        submit="Revoke key",
        done="The key is revoked.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: revoke_key(key=one, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()),
    )
