"""Delivery worker: sends due messages, in order within an endpoint, and retries failed ones. At least once. An attempt
is written before sending and completed afterwards, in two short transactions; no lock is held meanwhile. If the worker
dies in between, another resends after the lease, with the same id. Threads only do network I/O."""

import random
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction

from compliance.core.accounts.roles import Role
from compliance.core.web.jobs.wake import wake
from compliance.core.web.local_time import Clock
from compliance.notify.alerts.services import raise_alert
from compliance.notify.webhooks.delivery.http_client import DeliveryResult, post_message
from compliance.notify.webhooks.delivery.message_signature import signed_headers
from compliance.notify.webhooks.errors import NoWebhookKey
from compliance.notify.webhooks.models import Attempt, Delivery, Endpoint
from compliance.notify.webhooks.services import (
    DELIVER_TASK,
    installation_address_policy,
    lock_endpoint,
    transition_endpoint,
)
from compliance.notify.webhooks.states import DeliveryState, EndpointAct, EndpointState, Event
from rounds.ledger import read_only_log_slugs

logger = structlog.get_logger(__name__)

# Back-off after each failure; the last value applies to all further attempts.
RETRY_DELAYS = tuple(timedelta(seconds=seconds) for seconds in (5, 60, 300, 1800, 7200, 21_600))
# Random spread, so that receivers that failed together are not all called together.
JITTER = 0.1
RETRY_PERIOD = timedelta(days=3)
# Longer than an attempt can take, DNS resolution included.
LEASE_DURATION = timedelta(minutes=2)
MAX_CONCURRENT = 32
# No further message is started after this time, because other tasks wait for the worker.
MAX_RUN_TIME = timedelta(seconds=10)
DUTY = "webhook-switched-off"
# No legal document covers webhooks; this rule is the service's own.
OWN_RULE = "the service's own rule for webhooks"


@dataclass(frozen=True)
class ClaimedDelivery:
    """A delivery that this worker may send until its lease ends."""

    endpoint_id: int
    attempt_id: int
    message_id: str
    address: str
    body: bytes


def deliver_due(clock: Clock) -> int:
    """Sends due deliveries that no other worker has claimed; returns how many were delivered.
    Receivers are called concurrently."""
    until, delivered = clock() + MAX_RUN_TIME, 0
    under_way: dict[Future[DeliveryResult], ClaimedDelivery] = {}
    recording = Endpoint.objects.due(clock()).exclude(casino__slug__in=read_only_log_slugs())
    due = list(recording.values_list("pk", flat=True)[: MAX_CONCURRENT + 1])
    with ThreadPoolExecutor(MAX_CONCURRENT) as threads:

        def begin(endpoint_id: int) -> None:
            if claimed := claim_next_delivery(endpoint_id, clock()):
                under_way[threads.submit(send_claimed, claimed, clock)] = claimed

        for endpoint_id in due[:MAX_CONCURRENT]:
            begin(endpoint_id)
        while under_way:
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                claimed, answer = under_way.pop(future), future.result()
                record_attempt(claimed, answer, clock())
                delivered += answer.is_delivered
                if clock() < until:
                    begin(claimed.endpoint_id)
    if len(due) > MAX_CONCURRENT or Endpoint.objects.due(clock()).exists():
        wake(DELIVER_TASK)
    return delivered


@transaction.atomic
def claim_next_delivery(endpoint_id: int, now: datetime) -> ClaimedDelivery | None:
    """Claims the endpoint's next delivery if it is due and not claimed.
    Locks the endpoint, because its messages are sent one at a time."""
    rows = Endpoint.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    endpoint = rows.filter(pk=endpoint_id, standing=EndpointState.ACTIVE).exclude(busy_until__gt=now).first()
    delivery = Delivery.objects.to_endpoint(endpoint).waiting_in_order().first() if endpoint else None
    if endpoint is None or delivery is None or delivery.next_try_at > now:
        return None
    delivery.attempts_made += 1
    delivery.tried_since_at = delivery.tried_since_at or now
    delivery.save(update_fields=["attempts_made", "tried_since_at"])
    attempt = Attempt.objects.create(delivery=delivery, number=delivery.attempts_made, started_at=now)
    Endpoint.objects.filter(pk=endpoint.pk).update(busy_until=now + LEASE_DURATION)
    return ClaimedDelivery(endpoint.pk, attempt.pk, delivery.message_id, endpoint.address, delivery.body.encode())


def send_claimed(claimed: ClaimedDelivery, clock: Clock) -> DeliveryResult:
    """Sends in a thread, without the database. Never raises: one receiver must not stop the others."""
    try:
        headers = signed_headers(claimed.message_id, claimed.body, clock())
        return post_message(claimed.address, claimed.body, headers, installation_address_policy())
    except NoWebhookKey as refused:
        logger.error("webhook_not_signed")
        return DeliveryResult(None, refused.detail)
    except Exception as error:
        logger.error("webhook_not_sent", message=claimed.message_id, exc_info=True)
        return DeliveryResult(None, f"It could not be sent ({type(error).__name__}).")


@transaction.atomic
def record_attempt(claimed: ClaimedDelivery, answer: DeliveryResult, now: datetime) -> None:
    """Records the outcome.
    If the lease had expired, a newer attempt of another worker decides, unless this one was delivered."""
    endpoint = lock_endpoint(claimed.endpoint_id)
    attempt = Attempt.objects.select_related("delivery").get(pk=claimed.attempt_id)
    delivery = attempt.delivery
    attempt.ended_at, attempt.status, attempt.trouble = now, answer.status, answer.trouble[:300]
    attempt.save(update_fields=["ended_at", "status", "trouble"])
    is_newest = attempt.number == delivery.attempts_made
    if is_newest:
        Endpoint.objects.filter(pk=endpoint.pk).update(busy_until=None)
    if delivery.state != DeliveryState.WAITING:
        return
    if answer.is_delivered:
        delivery.state, delivery.delivered_at = DeliveryState.DELIVERED, now
        delivery.save(update_fields=["state", "delivered_at"])
        # The receiver accepts messages again: retry all that wait without their back-off.
        Delivery.objects.to_endpoint(endpoint).waiting_in_order().filter(next_try_at__gt=now).update(next_try_at=now)
    elif is_newest:
        _schedule_retry(endpoint, delivery, now)


def _schedule_retry(endpoint: Endpoint, delivery: Delivery, now: datetime) -> None:
    assert delivery.tried_since_at is not None
    ends_at = delivery.tried_since_at + RETRY_PERIOD
    if now < ends_at and delivery.event != Event.TEST:
        tries = delivery.attempts.filter(started_at__gte=delivery.tried_since_at).count()
        delivery.next_try_at = min(next_try_at(tries, now), ends_at)
        delivery.save(update_fields=["next_try_at"])
        return
    delivery.state = DeliveryState.GIVEN_UP
    delivery.save(update_fields=["state"])
    if delivery.event != Event.TEST and endpoint.standing == EndpointState.ACTIVE:
        _disable_failing_endpoint(endpoint, now)


def next_try_at(tries: int, now: datetime) -> datetime:
    return now + RETRY_DELAYS[min(tries, len(RETRY_DELAYS)) - 1] * random.uniform(1 - JITTER, 1 + JITTER)


def _disable_failing_endpoint(endpoint: Endpoint, now: datetime) -> None:
    """Disables the endpoint, then raises the alert:
    in this order of the log, the endpoint gets no message about it."""
    transition_endpoint(
        endpoint, EndpointAct.FAILED, now, actor=None, reason=f"No message was taken for {RETRY_PERIOD.days} days."
    )
    raise_alert(
        casino=endpoint.casino,
        duty=DUTY,
        to=Role.COMPLIANCE_OFFICER,
        clause=OWN_RULE,
        immediately=False,
        now=now,
        statement=f"The webhook {endpoint.name} took no message for {RETRY_PERIOD.days} days and is switched off.",
    )
