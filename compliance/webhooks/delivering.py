"""What the workers do: send what is due, in order within an endpoint, and try again what failed.

An attempt is written down before it is sent and completed afterwards, in two short transactions, with no lock held
while the receiver is waited for. A worker that dies in between leaves its attempt, and after a while another sends the
message again under the same id: never not at all. Threads do nothing but wait for receivers; the database is ours.
"""

import random
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction

from compliance.accounts.roles import Role
from compliance.alerts.services import raise_alert
from compliance.web.bell import ring
from compliance.web.moments import Clock
from compliance.webhooks.errors import NoWebhookKey
from compliance.webhooks.models import Attempt, Delivery, Endpoint
from compliance.webhooks.sending import Answer, post
from compliance.webhooks.services import TELL, allowed_here, lock_endpoint, move
from compliance.webhooks.signing import signed_headers
from compliance.webhooks.states import Act, Event, Sending, Standing
from rounds.ledger.read_only import read_only_logs

logger = structlog.get_logger(__name__)

# After each failure the wait grows; the last holds for all later tries.
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 60, 300, 1800, 7200, 21_600))
# So that receivers who failed together are not all called together.
JITTER = 0.1
TRIED_FOR = timedelta(days=3)
# Longer than a sending can take, its resolver included.
BUSY_FOR = timedelta(minutes=2)
MOST_AT_ONCE = 32
# After so long no further message is begun in this turn: other tasks wait for the worker.
TURN = timedelta(seconds=10)
DUTY = "webhook-switched-off"
# No document speaks of webhooks: that somebody learns of their end is a rule of the service.
OWN_RULE = "the service's own rule for webhooks"


@dataclass(frozen=True)
class Claimed:
    """A message that is ours to send until the lease is over."""

    endpoint_id: int
    attempt_id: int
    message_id: str
    address: str
    body: bytes


def deliver_due(clock: Clock) -> int:
    """Send whatever is due and nobody else is sending; how many were taken. Receivers are waited for side by side."""
    until, delivered = clock() + TURN, 0
    under_way: dict[Future[Answer], Claimed] = {}
    recording = Endpoint.objects.due(clock()).exclude(casino__slug__in=read_only_logs())
    due = list(recording.values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
    with ThreadPoolExecutor(MOST_AT_ONCE) as threads:

        def begin(endpoint_id: int) -> None:
            if claimed := claim(endpoint_id, clock()):
                under_way[threads.submit(send, claimed, clock)] = claimed

        for endpoint_id in due[:MOST_AT_ONCE]:
            begin(endpoint_id)
        while under_way:
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                claimed, answer = under_way.pop(future), future.result()
                note(claimed, answer, clock())
                delivered += answer.is_delivered
                if clock() < until:
                    begin(claimed.endpoint_id)
    if len(due) > MOST_AT_ONCE or Endpoint.objects.due(clock()).exists():
        ring(TELL)
    return delivered


@transaction.atomic
def claim(endpoint_id: int, now: datetime) -> Claimed | None:
    """The endpoint's next message, if it is due and no other worker has it. The endpoint is what is locked: its
    messages go one after the other."""
    rows = Endpoint.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    endpoint = rows.filter(pk=endpoint_id, standing=Standing.ACTIVE).exclude(busy_until__gt=now).first()
    delivery = Delivery.objects.to(endpoint).next_first().first() if endpoint else None
    if endpoint is None or delivery is None or delivery.next_try_at > now:
        return None
    delivery.attempts_made += 1
    delivery.tried_since_at = delivery.tried_since_at or now
    delivery.save(update_fields=["attempts_made", "tried_since_at"])
    attempt = Attempt.objects.create(delivery=delivery, number=delivery.attempts_made, started_at=now)
    Endpoint.objects.filter(pk=endpoint.pk).update(busy_until=now + BUSY_FOR)
    return Claimed(endpoint.pk, attempt.pk, delivery.message_id, endpoint.address, delivery.body.encode())


def send(claimed: Claimed, clock: Clock) -> Answer:
    """In a thread, without the database. Whatever one receiver brings about must not stop the others."""
    try:
        headers = signed_headers(claimed.message_id, claimed.body, clock())
        return post(claimed.address, claimed.body, headers, allowed_here())
    except NoWebhookKey as refused:
        logger.error("webhook_not_signed")
        return Answer(None, refused.detail)
    except Exception as error:
        logger.error("webhook_not_sent", message=claimed.message_id, exc_info=True)
        return Answer(None, f"It could not be sent ({type(error).__name__}).")


@transaction.atomic
def note(claimed: Claimed, answer: Answer, now: datetime) -> None:
    """A worker whose lease was over may come late: another's newer attempt then decides, unless this one was taken."""
    endpoint = lock_endpoint(claimed.endpoint_id)
    attempt = Attempt.objects.select_related("delivery").get(pk=claimed.attempt_id)
    delivery = attempt.delivery
    attempt.ended_at, attempt.status, attempt.trouble = now, answer.status, answer.trouble[:300]
    attempt.save(update_fields=["ended_at", "status", "trouble"])
    is_newest = attempt.number == delivery.attempts_made
    if is_newest:
        Endpoint.objects.filter(pk=endpoint.pk).update(busy_until=None)
    if delivery.state != Sending.WAITING:
        return
    if answer.is_delivered:
        delivery.state, delivery.delivered_at = Sending.DELIVERED, now
        delivery.save(update_fields=["state", "delivered_at"])
        # It takes messages again: what waits need not wait for its own time.
        Delivery.objects.to(endpoint).next_first().filter(next_try_at__gt=now).update(next_try_at=now)
    elif is_newest:
        _put_off(endpoint, delivery, now)


def _put_off(endpoint: Endpoint, delivery: Delivery, now: datetime) -> None:
    assert delivery.tried_since_at is not None
    ends_at = delivery.tried_since_at + TRIED_FOR
    if now < ends_at and delivery.event != Event.TEST:
        tries = delivery.attempts.filter(started_at__gte=delivery.tried_since_at).count()
        delivery.next_try_at = min(next_try_at(tries, now), ends_at)
        delivery.save(update_fields=["next_try_at"])
        return
    delivery.state = Sending.GIVEN_UP
    delivery.save(update_fields=["state"])
    if delivery.event != Event.TEST and endpoint.standing == Standing.ACTIVE:
        _switch_off_by_itself(endpoint, now)


def next_try_at(tries: int, now: datetime) -> datetime:
    return now + PAUSES[min(tries, len(PAUSES)) - 1] * random.uniform(1 - JITTER, 1 + JITTER)


def _switch_off_by_itself(endpoint: Endpoint, now: datetime) -> None:
    """First it is off, then somebody is told: by the order of the log it is not itself told of its own end."""
    move(endpoint, Act.FAILED, now, actor=None, reason=f"No message was taken for {TRIED_FOR.days} days.")
    raise_alert(
        casino=endpoint.casino, duty=DUTY, to=Role.COMPLIANCE_OFFICER, clause=OWN_RULE, immediately=False, now=now,
        statement=f"The webhook {endpoint.name} took no message for {TRIED_FOR.days} days and is switched off.",
    )  # fmt: skip
