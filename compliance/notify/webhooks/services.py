"""Use cases of endpoints. Each change writes an EndpointStep with its entry in the log."""

import uuid
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.services.roles import lock_casinos
from compliance.core.web.errors import NotFound
from compliance.core.web.jobs.wake import wake
from compliance.notify.webhooks.delivery.address_policy import AddressPolicy, parse_address
from compliance.notify.webhooks.delivery.payloads import build_test_message
from compliance.notify.webhooks.entry_kinds import KIND_BY_ACT
from compliance.notify.webhooks.errors import BadEndpoint, EndpointStateConflict, TooManyEndpoints
from compliance.notify.webhooks.models import Delivery, Endpoint, EndpointStep
from compliance.notify.webhooks.selectors import MAY_MANAGE, endpoints_of
from compliance.notify.webhooks.states import (
    ENDPOINT_TRANSITIONS,
    SUBSCRIBABLE_EVENTS,
    DeliveryState,
    EndpointAct,
    EndpointState,
    Event,
)
from rounds.ledger import write_row

DELIVER_TASK = "compliance.notify.webhooks.tasks.deliver_webhooks"
MAX_ENDPOINTS = 20


def installation_address_policy() -> AddressPolicy:
    return AddressPolicy(settings.WEBHOOK_PORTS, settings.WEBHOOK_NETWORKS)


@transaction.atomic
def register_endpoint(
    *, casino: Casino, name: str, address: str, events: Collection[str], actor: User, now: datetime
) -> Endpoint:
    lock_casinos({casino.pk})
    require_manager(actor, casino)
    if endpoints_of(casino).not_removed().count() >= MAX_ENDPOINTS:
        raise TooManyEndpoints
    endpoint = Endpoint(casino=casino, **validate_endpoint(name, address, events))
    endpoint.save(force_insert=True)
    record_step(endpoint, EndpointAct.REGISTERED, now, actor=actor)
    return endpoint


@transaction.atomic
def change_endpoint(
    *, endpoint: Endpoint, name: str, address: str, events: Collection[str], actor: User, now: datetime
) -> Endpoint:
    """Waiting messages are sent to the new address: it is the same receiver."""
    values = validate_endpoint(name, address, events)
    return _lock_and_transition(endpoint, EndpointAct.CHANGED, actor, now, **values)


@transaction.atomic
def disable_endpoint(*, endpoint: Endpoint, reason: str, actor: User, now: datetime) -> Endpoint:
    return _lock_and_transition(endpoint, EndpointAct.SWITCHED_OFF, actor, now, reason=reason)


@transaction.atomic
def enable_endpoint(*, endpoint: Endpoint, actor: User, now: datetime) -> Endpoint:
    """Retries waiting messages at once. Events recorded while it was off are not sent."""
    moved = _lock_and_transition(endpoint, EndpointAct.SWITCHED_ON, actor, now)
    Delivery.objects.to_endpoint(moved).waiting_in_order().update(next_try_at=now)
    wake(DELIVER_TASK)
    return moved


@transaction.atomic
def remove_endpoint(*, endpoint: Endpoint, reason: str, actor: User, now: datetime) -> Endpoint:
    """Gives up waiting messages. A removed endpoint can only be registered anew."""
    locked = _lock_own_endpoint(endpoint, actor)
    Delivery.objects.to_endpoint(locked).filter(state=DeliveryState.WAITING).update(state=DeliveryState.GIVEN_UP)
    transition_endpoint(locked, EndpointAct.REMOVED, now, actor=actor, reason=reason)
    return locked


@transaction.atomic
def send_test_message(*, endpoint: Endpoint, actor: User, now: datetime) -> Delivery:
    """Sends a test message once, before all others; if it is delivered, waiting messages are retried at once."""
    locked = _lock_own_endpoint(endpoint, actor)
    if locked.standing != EndpointState.ACTIVE:
        raise EndpointStateConflict("A webhook that is off sends nothing.", remedy="Switch it on first.")
    message_id = f"{locked.casino.slug}_test_{locked.pk}_{uuid.uuid4().hex[:12]}"
    made = Delivery.objects.create(
        endpoint=locked,
        message_id=message_id,
        event=Event.TEST,
        body=build_test_message(locked, message_id, now),
        made_at=now,
        next_try_at=now,
    )
    wake(DELIVER_TASK)
    return made


@transaction.atomic
def resend_delivery(*, delivery: Delivery, actor: User, now: datetime) -> Delivery:
    """Sends the same message under the same id, for another three days."""
    locked = _lock_own_endpoint(delivery.endpoint, actor)
    if locked.standing != EndpointState.ACTIVE:
        raise EndpointStateConflict("A webhook that is off sends nothing.", remedy="Switch it on first.")
    moved = Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.GIVEN_UP).update(
        state=DeliveryState.WAITING, next_try_at=now, tried_since_at=None
    )
    if not moved:
        raise EndpointStateConflict("This message was not given up.")
    wake(DELIVER_TASK)
    delivery.refresh_from_db()
    return delivery


def validate_endpoint(name: str, address: str, events: Collection[str]) -> dict[str, Any]:
    known = [event.value for event in SUBSCRIBABLE_EVENTS if event.value in events]
    if not name.strip() or len(known) < len(set(events)) or not known:
        raise BadEndpoint
    parse_address(address, installation_address_policy())
    return {"name": name, "address": address, "events": known}


def _lock_and_transition(
    endpoint: Endpoint, act: EndpointAct, actor: User, now: datetime, *, reason: str = "", **values: Any
) -> Endpoint:
    locked = _lock_own_endpoint(endpoint, actor)
    for column, value in values.items():
        setattr(locked, column, value)
    transition_endpoint(locked, act, now, actor=actor, reason=reason)
    return locked


def _lock_own_endpoint(endpoint: Endpoint, actor: User) -> Endpoint:
    locked = lock_endpoint(endpoint.pk)
    require_manager(actor, locked.casino)
    return locked


def lock_endpoint(pk: int) -> Endpoint:
    return Endpoint.objects.select_for_update(no_key=True, of=("self",)).select_related("casino").get(pk=pk)


def transition_endpoint(
    endpoint: Endpoint, act: EndpointAct, now: datetime, *, actor: User | None, reason: str
) -> EndpointStep:
    """Applies an act to a locked endpoint and records the step."""
    after = ENDPOINT_TRANSITIONS[act].get(EndpointState(endpoint.standing))
    if after is None:
        raise EndpointStateConflict
    endpoint.standing = after
    endpoint.save(update_fields=["name", "address", "events", "standing"])
    return record_step(endpoint, act, now, actor=actor, reason=reason)


def record_step(
    endpoint: Endpoint, act: EndpointAct, now: datetime, *, actor: User | None, reason: str = ""
) -> EndpointStep:
    step = EndpointStep(
        endpoint=endpoint,
        act=act,
        name=endpoint.name,
        address=endpoint.address,
        events=endpoint.events,
        standing=endpoint.standing,
        reason=reason,
        by=actor,
        by_name=actor.name if actor else "",
        at=now,
    )
    return write_row(step, kind=KIND_BY_ACT[act], log=endpoint.casino.slug, now=now)


def require_manager(actor: User, casino: Casino) -> None:
    if not actor.has_role_in_database(*MAY_MANAGE, casino=casino):
        raise NotFound
