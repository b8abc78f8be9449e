"""E-mails about new rows: counts and links. Each has an unsubscribe link, also with one click (RFC 8058)."""

from datetime import datetime

from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse

from compliance.core.web.mail.outbox import RETENTION, EmailPurpose
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.core.web.models import OutgoingEmail
from compliance.notify.saved_views.list_access import may_open_view
from compliance.notify.saved_views.models import MessagePart, NewRowsMessage, Subscription
from compliance.notify.saved_views.subscriptions.new_rows import EMAIL_PURPOSE

UNSUBSCRIBE_SALT = "compliance.saved.stop"


def render_new_rows_email(email: OutgoingEmail) -> EmailMessage | None:
    message = email.new_rows
    parts = _parts_still_allowed(message)
    return _build_email(message, parts) if parts else None


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
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(subject, body, headers=headers)


def unsubscribe_token(message: NewRowsMessage) -> str:
    return signing.dumps(message.pk, salt=UNSUBSCRIBE_SALT)


def message_for_token(token: str) -> NewRowsMessage | None:
    """The message of an unsubscribe link; None for an invalid link or a deleted message."""
    try:
        pk = signing.loads(token, salt=UNSUBSCRIBE_SALT)
    except signing.BadSignature:
        return None
    return NewRowsMessage.objects.filter(pk=pk).first()


def delete_ended_subscriptions(now: datetime) -> None:
    """Deletes subscriptions that ended long ago, once the outbox has deleted their e-mails and message parts."""
    Subscription.objects.filter(ended_at__lt=now - RETENTION, parts=None).delete()


PURPOSE = EmailPurpose(EMAIL_PURPOSE, render_new_rows_email)
