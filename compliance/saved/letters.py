"""The e-mails of what is new: numbers and links. Each has a link by which it stops, with one click too (RFC 8058)."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse

from compliance.accounts.services.invitations import site_address
from compliance.alerts.delivering import AT_ONCE, try_to_send
from compliance.saved.models import Message, Part, Subscription
from compliance.saved.opening import may_open
from compliance.saved.states import Sending
from compliance.web.letters import write_letter
from compliance.web.moments import Clock

SALT = "compliance.saved.stop"
KEPT_FOR = timedelta(days=90)


def send_due(clock: Clock) -> int:
    """Send whatever is due and nobody else is sending; how many were sent."""
    due = list(Message.objects.due(clock()).values_list("pk", flat=True)[:AT_ONCE])
    return sum(_send(pk, clock) for pk in due)


@transaction.atomic
def _send(pk: int, clock: Clock) -> bool:
    waiting = Message.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).due(clock())
    message = waiting.select_related("person").filter(pk=pk).first()
    if message is None:
        return False
    parts = _still_allowed(message)
    if not parts:
        message.state = Sending.WITHHELD
        message.save(update_fields=["state"])
        return False
    return try_to_send(message, _letter(message, parts), clock)


def _still_allowed(message: Message) -> list[Part]:
    """What the person wants and may see now, whatever was so when it was found."""
    if not message.person.is_active:
        return []
    parts = message.parts.filter(subscription__ended_at=None).select_related(
        "subscription__view__casino", "subscription__view__owner"
    )
    return [part for part in parts.order_by("pk") if may_open(part.subscription.view, message.person)]


def _letter(message: Message, parts: list[Part]) -> EmailMessage:
    site = site_address()
    told = [(part, part.subscription.view, site + part.subscription.view.opening_url) for part in parts]
    stop = site + reverse("saved:stop", kwargs={"token": stop_token(message)})
    new = sum(part.new for part in parts)
    context = {"person": message.person, "told": told, "new": new, "stop": stop, "site": site}
    subject, body = write_letter("saved/letters/news.txt", context)
    headers = {
        "Message-ID": f"<saved.{message.pk}@{settings.SITE_NAME}>",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(subject, body, None, [message.person.email], headers=headers)


def stop_token(message: Message) -> str:
    return signing.dumps(message.pk, salt=SALT)


def message_of(token: str) -> Message | None:
    """The one whose link it is; None for a link that no message had, or whose message is long gone."""
    try:
        pk = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return Message.objects.filter(pk=pk).first()


def throw_away_old(now: datetime) -> None:
    """What was told long ago, and what nobody wants to be told of any more and nothing is left of."""
    Message.objects.filter(made_at__lt=now - KEPT_FOR).exclude(state=Sending.WAITING).delete()
    Subscription.objects.filter(ended_at__lt=now - KEPT_FOR, parts=None).delete()
