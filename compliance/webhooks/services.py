"""Registering an endpoint and all that is done to it: each act a step of its own, with its entry in the log."""

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.services.roles import lock_casinos
from compliance.web.bell import ring
from compliance.web.errors import NotFound
from compliance.webhooks.addresses import Allowed, read_address
from compliance.webhooks.errors import BadEndpoint, NotNow, TooManyEndpoints
from compliance.webhooks.kinds import kind_of
from compliance.webhooks.messages import write_test
from compliance.webhooks.models import Delivery, Endpoint, EndpointStep
from compliance.webhooks.selectors import MAY_KEEP, endpoints_of
from compliance.webhooks.states import MOVES, SUBSCRIBED, Act, Event, Sending, Standing
from rounds.ledger.rows import write_row

TELL = "compliance.webhooks.tasks.tell_systems"
MOST_ENDPOINTS = 20


def allowed_here() -> Allowed:
    return Allowed(settings.WEBHOOK_PORTS, settings.WEBHOOK_NETWORKS)


@transaction.atomic
def register_endpoint(
    *, casino: Casino, name: str, address: str, events: Collection[str], actor: User, now: datetime
) -> Endpoint:
    lock_casinos({casino.pk})
    require(actor, casino)
    if endpoints_of(casino).kept().count() >= MOST_ENDPOINTS:
        raise TooManyEndpoints
    endpoint = Endpoint(casino=casino, **checked(name, address, events))
    endpoint.save(force_insert=True)
    take_step(endpoint, Act.REGISTERED, now, actor=actor)
    return endpoint


@transaction.atomic
def change_endpoint(
    *, endpoint: Endpoint, name: str, address: str, events: Collection[str], actor: User, now: datetime
) -> Endpoint:
    """What waits is sent to the new address: it is the same receiver, who moved."""
    said = checked(name, address, events)
    return _move(endpoint, Act.CHANGED, actor, now, **said)


@transaction.atomic
def switch_off(*, endpoint: Endpoint, reason: str, actor: User, now: datetime) -> Endpoint:
    return _move(endpoint, Act.SWITCHED_OFF, actor, now, reason=reason)


@transaction.atomic
def switch_on(*, endpoint: Endpoint, actor: User, now: datetime) -> Endpoint:
    """What waited is tried at once. What was recorded while it was off is not told."""
    moved = _move(endpoint, Act.SWITCHED_ON, actor, now)
    Delivery.objects.to(moved).next_first().update(next_try_at=now)
    ring(TELL)
    return moved


@transaction.atomic
def remove_endpoint(*, endpoint: Endpoint, reason: str, actor: User, now: datetime) -> Endpoint:
    """What waited is given up. It comes back only as another one, registered anew."""
    locked = _locked(endpoint, actor)
    Delivery.objects.to(locked).filter(state=Sending.WAITING).update(state=Sending.GIVEN_UP)
    move(locked, Act.REMOVED, now, actor=actor, reason=reason)
    return locked


@transaction.atomic
def send_test(*, endpoint: Endpoint, actor: User, now: datetime) -> Delivery:
    """Tried once, before whatever waits; if it is taken, what waits is tried at once."""
    locked = _locked(endpoint, actor)
    if locked.standing != Standing.ACTIVE:
        raise NotNow("A webhook that is off sends nothing.", remedy="Switch it on first.")
    message_id = f"{locked.casino.slug}_test_{locked.pk}_{uuid.uuid4().hex[:12]}"
    made = Delivery.objects.create(
        endpoint=locked, message_id=message_id, event=Event.TEST, body=write_test(locked, message_id, now), made_at=now,
        next_try_at=now,
    )  # fmt: skip
    ring(TELL)
    return made


@transaction.atomic
def send_again(*, delivery: Delivery, actor: User, now: datetime) -> Delivery:
    """The same message under the same id, for another three days."""
    locked = _locked(delivery.endpoint, actor)
    if locked.standing != Standing.ACTIVE:
        raise NotNow("A webhook that is off sends nothing.", remedy="Switch it on first.")
    moved = Delivery.objects.filter(pk=delivery.pk, state=Sending.GIVEN_UP).update(
        state=Sending.WAITING, next_try_at=now, tried_since_at=None
    )
    if not moved:
        raise NotNow("This message was not given up.")
    ring(TELL)
    delivery.refresh_from_db()
    return delivery


def checked(name: str, address: str, events: Collection[str]) -> dict[str, Any]:
    known = [event.value for event in SUBSCRIBED if event.value in events]
    if not name.strip() or len(known) < len(set(events)) or not known:
        raise BadEndpoint
    read_address(address, allowed_here())
    return {"name": name, "address": address, "events": known}


def _move(endpoint: Endpoint, act: Act, actor: User, now: datetime, *, reason: str = "", **said: Any) -> Endpoint:
    locked = _locked(endpoint, actor)
    for column, value in said.items():
        setattr(locked, column, value)
    move(locked, act, now, actor=actor, reason=reason)
    return locked


def _locked(endpoint: Endpoint, actor: User) -> Endpoint:
    locked = lock_endpoint(endpoint.pk)
    require(actor, locked.casino)
    return locked


def lock_endpoint(pk: int) -> Endpoint:
    return Endpoint.objects.select_for_update(no_key=True, of=("self",)).select_related("casino").get(pk=pk)


def move(endpoint: Endpoint, act: Act, now: datetime, *, actor: User | None, reason: str) -> EndpointStep:
    """Of an endpoint that is locked."""
    after = MOVES[act].get(Standing(endpoint.standing))
    if after is None:
        raise NotNow
    endpoint.standing = after
    endpoint.save(update_fields=["name", "address", "events", "standing"])
    return take_step(endpoint, act, now, actor=actor, reason=reason)


def take_step(endpoint: Endpoint, act: Act, now: datetime, *, actor: User | None, reason: str = "") -> EndpointStep:
    step = EndpointStep(
        endpoint=endpoint, act=act, name=endpoint.name, address=endpoint.address, events=endpoint.events,
        standing=endpoint.standing, reason=reason, by=actor, by_name=actor.name if actor else "", at=now,
    )  # fmt: skip
    return write_row(step, kind=kind_of(act), log=endpoint.casino.slug, now=now)


def require(actor: User, casino: Casino) -> None:
    if not actor.still_holds(*MAY_KEEP, casino=casino):
        raise NotFound
