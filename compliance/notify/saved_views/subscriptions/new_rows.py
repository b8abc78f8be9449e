"""Finds new rows in subscribed views. The known rows are stored, so a second run finds nothing (idempotent). One
transaction a person updates the known rows and writes the message about the new ones."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Min

from compliance.core.accounts.models import User
from compliance.core.web.local_time import Clock
from compliance.core.web.mail.outbox import enqueue_email
from compliance.notify.saved_views.list_access import MAX_ROWS, ListNotAccessible, visible_row_ids
from compliance.notify.saved_views.models import MessagePart, NewRowsMessage, Subscription
from compliance.notify.saved_views.services import QUIET_PERIOD, next_check_at
from compliance.notify.saved_views.states import Frequency

EMAIL_PURPOSE = "saved-view"
BATCH_SIZE = 200
# A view that cannot be opened is checked again after this time: a role may be given back.
RETRY_CLOSED_AFTER = timedelta(hours=1)
CLOSED = "closed"


def check_due_subscriptions(clock: Clock) -> int:
    """Checks due subscriptions; returns the number of messages to send.
    Longest waiting first, so that nobody starves."""
    due = Subscription.objects.due(clock()).values("person").annotate(since=Min("next_look_at"))
    people = list(due.order_by("since", "person").values_list("person", flat=True)[:BATCH_SIZE])
    return sum(_check_person(person, clock()) for person in people)


@transaction.atomic
def _check_person(person_id: int, now: datetime) -> bool:
    locked = Subscription.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).due(now)
    due = list(locked.filter(person=person_id).select_related("view__casino", "view__owner").order_by("pk"))
    due = _postpone_recently_notified(due, person_id, now)
    if not due:
        return False
    person = User.objects.get(pk=person_id)
    parts = [part for part in (_check_subscription(one, person, now) for one in due) if part is not None]
    if parts:
        reference = {"person": person.pk, "made_at": now.isoformat()}
        email = enqueue_email(EMAIL_PURPOSE, person.email, reference, now)
        message = NewRowsMessage.objects.create(person=person, made_at=now, email=email)
        for part in parts:
            part.message = message
        MessagePart.objects.bulk_create(parts)
    return bool(parts)


def _postpone_recently_notified(due: list[Subscription], person_id: int, now: datetime) -> list[Subscription]:
    """Postpones immediate subscriptions during the pause after an e-mail, also for other views:
    they are then sent together."""
    at_once = NewRowsMessage.objects.filter(person=person_id, parts__subscription__every=Frequency.ONCE)
    last = at_once.filter(made_at__gt=now - QUIET_PERIOD).aggregate(at=Max("made_at"))["at"]
    if last is None:
        return due
    early = [one for one in due if one.every == Frequency.ONCE]
    Subscription.objects.filter(pk__in=[one.pk for one in early]).update(next_look_at=last + QUIET_PERIOD)
    return [one for one in due if one not in early]


def _check_subscription(subscription: Subscription, person: User, now: datetime) -> MessagePart | None:
    """Updates the known rows; returns the message part about new ones, or None."""
    view = subscription.view
    try:
        rows = visible_row_ids(person, view, now)
    except ListNotAccessible:
        subscription.trouble_code, subscription.next_look_at = CLOSED, now + RETRY_CLOSED_AFTER
        subscription.save(update_fields=["trouble_code", "next_look_at"])
        return None
    new = select_new_rows(rows, subscription.known)
    subscription.known, subscription.looked_at, subscription.trouble_code = rows, now, ""
    subscription.next_look_at = next_check_at(view.casino, subscription.every, now, was_told=bool(new))
    subscription.save(update_fields=["known", "looked_at", "trouble_code", "next_look_at"])
    if not new:
        return None
    return MessagePart(subscription=subscription, new=len(new), together=len(rows), is_cut=len(rows) == MAX_ROWS)


def select_new_rows(rows: Sequence[int], known: Sequence[int]) -> set[int]:
    """Rows that are not known. If the known rows were cut off at MAX_ROWS, rows older than all of them are not new."""
    new = set(rows).difference(known)
    if len(known) == MAX_ROWS:
        oldest = min(known)
        new = {row for row in new if row > oldest}
    return new
