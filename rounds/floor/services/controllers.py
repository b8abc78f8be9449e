"""Registers controllers. A key is trusted after two people acted; one person can revoke it at once."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.separation import require_other_person
from rounds.floor import entry_kinds
from rounds.floor.errors import (
    KeyAlreadyRegistered,
    KeyBegunBeforeApproval,
    KeyNotWaiting,
    KeyRevokedAlready,
    OfAnotherCasino,
    RetiredAlready,
    TableAlreadyAssigned,
    TableNotAssigned,
)
from rounds.floor.models import Controller, ControllerKey, ControllerTable, Table
from rounds.floor.permissions import MAY_REGISTER, check_has_role
from rounds.floor.public_keys import key_id_of
from rounds.floor.services.common import append_entry, check_new_slug
from rounds.ledger import encode_timestamp, write_row


@transaction.atomic
def register_controller(*, casino: Casino, slug: str, name: str, actor: User, now: datetime) -> Controller:
    check_has_role(actor, casino, MAY_REGISTER)
    casino.lock()
    check_new_slug(slug, Controller.objects.filter(casino=casino))
    controller = Controller(
        casino=casino,
        slug=slug,
        name=name,
        registered_by=actor,
        registered_by_name=actor.name,
        registered_at=now,
    )
    return write_row(controller, kind=entry_kinds.CONTROLLER_REGISTERED, log=casino.slug, now=now)


@transaction.atomic
def assign_table(*, controller: Controller, table: Table, actor: User, now: datetime) -> ControllerTable:
    """Allows the controller to report for the table from now on. A table may have several, each with its own
    sequence."""
    check_has_role(actor, controller.casino, MAY_REGISTER)
    controller.casino.lock()
    if table.casino_id != controller.casino_id:
        raise OfAnotherCasino
    if table.retired_at:
        raise RetiredAlready
    if ControllerTable.objects.filter(controller=controller, table=table, until_at=None).exists():
        raise TableAlreadyAssigned
    given = ControllerTable(
        controller=controller,
        table=table,
        given_by=actor,
        given_by_name=actor.name,
        from_at=now,
    )
    return write_row(
        given, kind=entry_kinds.CONTROLLER_TABLE_GIVEN, log=controller.casino.slug, table=table.slug, now=now
    )


@transaction.atomic
def end_table_assignment(*, given: ControllerTable, actor: User, now: datetime) -> ControllerTable:
    controller = given.controller
    check_has_role(actor, controller.casino, MAY_REGISTER)
    if not ControllerTable.objects.filter(pk=given.pk, until_at=None).update(ended_by=actor, until_at=now):
        raise TableNotAssigned
    given.refresh_from_db()
    body = {"controller": controller.slug, "table": given.table.slug, "by": actor.as_entry_reference()}
    append_entry(entry_kinds.CONTROLLER_TABLE_ENDED, body, casino=controller.casino, table=given.table.slug, now=now)
    return given


@transaction.atomic
def propose_key(*, controller: Controller, public_key: bytes, actor: User, now: datetime) -> ControllerKey:
    """Takes the public half; the private half never reaches the service."""
    check_has_role(actor, controller.casino, MAY_REGISTER)
    controller.casino.lock()
    key_id = key_id_of(public_key)
    if ControllerKey.objects.filter(key_id=key_id).exists():
        raise KeyAlreadyRegistered
    key = ControllerKey(
        controller=controller,
        key_id=key_id,
        public_key=public_key,
        proposed_by=actor,
        proposed_by_name=actor.name,
        proposed_at=now,
    )
    return write_row(key, kind=entry_kinds.KEY_PROPOSED, log=controller.casino.slug, now=now)


@transaction.atomic
def approve_key(*, key: ControllerKey, actor: User, now: datetime, valid_from: datetime | None = None) -> ControllerKey:
    """By a second person. Without `valid_from` the key is active from now on. Older keys stay active until revoked."""
    controller, valid_from = key.controller, valid_from or now
    check_has_role(actor, controller.casino, MAY_REGISTER)
    require_other_person(actor, proposed=key.proposed_by_id)
    if valid_from < now:
        raise KeyBegunBeforeApproval
    waiting = ControllerKey.objects.waiting().filter(pk=key.pk)
    if not waiting.update(approved_by=actor, approved_at=now, valid_from=valid_from):
        raise KeyNotWaiting
    key.refresh_from_db()
    body = {
        "controller": controller.slug,
        "key_id": key.key_id,
        "valid_from": encode_timestamp(valid_from),
        "by": actor.as_entry_reference(),
    }
    append_entry(entry_kinds.KEY_APPROVED, body, casino=controller.casino, table=None, now=now)
    return key


@transaction.atomic
def revoke_key(*, key: ControllerKey, reason: str, actor: User, now: datetime) -> ControllerKey:
    """One person is enough, and it takes effect at once: a stolen key must not wait for a second person."""
    controller = key.controller
    check_has_role(actor, controller.casino, MAY_REGISTER)
    if not ControllerKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_by=actor, revoked_at=now):
        raise KeyRevokedAlready
    key.refresh_from_db()
    body = {"controller": controller.slug, "key_id": key.key_id, "reason": reason, "by": actor.as_entry_reference()}
    append_entry(entry_kinds.KEY_REVOKED, body, casino=controller.casino, table=None, now=now)
    return key
