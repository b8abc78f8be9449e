"""E-mails about new rows: counts and links. Each has an unsubscribe link, also with one click (RFC 8058)."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse

from compliance.core.web.local_time import Clock
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.notify.alerts.mailer import BATCH_SIZE, send_outbox_row
from compliance.notify.saved_views.list_access import may_open_view
from compliance.notify.saved_views.models import MessagePart, NewRowsMessage, Subscription
from compliance.notify.saved_views.states import MessageState

UNSUBSCRIBE_SALT = "compliance.saved.stop"
DELETE_AFTER = timedelta(days=90)


def send_due_emails(clock: Clock) -> int:
    """Sends due messages that no other worker has locked; returns how many were sent."""
    due = list(NewRowsMessage.objects.due(clock()).values_list("pk", flat=True)[:BATCH_SIZE])
    return sum(_send_one(pk, clock) for pk in due)


@transaction.atomic
def _send_one(pk: int, clock: Clock) -> bool:
    waiting = NewRowsMessage.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).due(clock())
    message = waiting.select_related("person").filter(pk=pk).first()
    if message is None:
        return False
    parts = _parts_still_allowed(message)
    if not parts:
        message.state = MessageState.WITHHELD
        message.save(update_fields=["state"])
        return False
    return send_outbox_row(message, _build_email(message, parts), clock)


def _parts_still_allowed(message: NewRowsMessage) -> list[MessagePart]:
    """The parts that the person still subscribes to and may see now, whatever applied when the rows were found."""
    if not message.person.is_active:
        return []
    parts = message.parts.filter(subscription__ended_at=None).select_related(
        "subscription__view__casino", "subscription__view__owner"
    )
    return [part for part in parts.order_by("pk") if may_open_view(part.subscription.view, message.person)]


def _build_email(message: NewRowsMessage, parts: list[MessagePart]) -> EmailMessage:
    site = site_base_url()
    view_parts = [(part, part.subscription.view, site + part.subscription.view.open_url) for part in parts]
    stop = site + reverse("saved:stop", kwargs={"token": unsubscribe_token(message)})
    new = sum(part.new for part in parts)
    context = {"person": message.person, "told": view_parts, "new": new, "stop": stop, "site": site}
    subject, body = render_email("saved_views/emails/news.txt", context)
    headers = {
        "Message-ID": f"<saved.{message.pk}@{settings.SITE_NAME}>",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(subject, body, None, [message.person.email], headers=headers)


def unsubscribe_token(message: NewRowsMessage) -> str:
    return signing.dumps(message.pk, salt=UNSUBSCRIBE_SALT)


def message_for_token(token: str) -> NewRowsMessage | None:
    """The message of an unsubscribe link; None for an invalid link or a deleted message."""
    try:
        pk = signing.loads(token, salt=UNSUBSCRIBE_SALT)
    except signing.BadSignature:
        return None
    return NewRowsMessage.objects.filter(pk=pk).first()


def delete_old_messages(now: datetime) -> None:
    """Deletes old messages, and ended subscriptions without message parts."""
    NewRowsMessage.objects.filter(made_at__lt=now - DELETE_AFTER).exclude(state=MessageState.WAITING).delete()
    Subscription.objects.filter(ended_at__lt=now - DELETE_AFTER, parts=None).delete()
