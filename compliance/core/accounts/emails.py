"""E-mails about accounts, from templates/accounts/emails/; the first line of a template is the subject."""

from datetime import datetime
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from compliance.core.accounts.models import AccountEvent, Invitation, User
from compliance.core.web.local_time import format_local
from compliance.core.web.mail.outbox import EmailPurpose, enqueue_email
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.core.web.models import OutgoingEmail

INVITATION, PASSWORD_RESET, NOTICE = "invitation", "password-reset", "account-notice"


def queue_invitation(invitation: Invitation, token: str, site: str, now: datetime) -> None:
    """The token is stored until the e-mail is sent; the invitation itself has only its hash."""
    reference = {"invitation": invitation.pk, "token_sha256": invitation.token_sha256, "site": site or site_base_url()}
    enqueue_email(INVITATION, invitation.email, reference, now, secret=token)


def queue_password_reset(event: AccountEvent, person: User, site: str) -> None:
    enqueue_email(PASSWORD_RESET, person.email, {"event": event.pk, "site": site}, event.at)


def queue_event_notice(event: AccountEvent, person: User) -> None:
    """Notifies a person of a change to their account, so that they can object."""
    enqueue_email(NOTICE, person.email, {"event": event.pk}, event.at)


def render_invitation(email: OutgoingEmail) -> EmailMessage | None:
    """None if the invitation was answered, withdrawn or sent again with another link."""
    reference = email.reference
    current = Invitation.objects.open().filter(pk=reference["invitation"], token_sha256=reference["token_sha256"])
    invitation = current.select_related("casino", "invited_by").first()
    if invitation is None:
        return None
    expires = format_local(invitation.expires_at, invitation.casino)
    link = reference["site"] + reverse("accounts:accept", args=[email.secret])
    return _message("invitation", invitation=invitation, link=link, expires=expires)


def render_password_reset(email: OutgoingEmail) -> EmailMessage | None:
    """The link is made when the e-mail is sent, because it works for an hour."""
    person = _event_of(email).subject
    if person is None or not person.is_active:
        return None
    proof = [urlsafe_base64_encode(force_bytes(person.pk)), default_token_generator.make_token(person)]
    link = email.reference["site"] + reverse("accounts:reset", args=proof)
    return _message("password-reset", person=person, link=link)


def render_event_notice(email: OutgoingEmail) -> EmailMessage:
    event = _event_of(email)
    when = format_local(event.at, event.casino)
    return _message("notice", event=event, person=event.subject, when=when, site=site_base_url())


def _event_of(email: OutgoingEmail) -> AccountEvent:
    events = AccountEvent.objects.select_related("subject", "actor", "casino")
    return events.get(pk=email.reference["event"])


def _message(name: str, **context: Any) -> EmailMessage:
    return EmailMessage(*render_email(f"accounts/emails/{name}.txt", context))


PURPOSES = (
    EmailPurpose(INVITATION, render_invitation),
    EmailPurpose(PASSWORD_RESET, render_password_reset),
    EmailPurpose(NOTICE, render_event_notice),
)
