"""E-mails about accounts, from templates/accounts/emails/; the first line of a template is the subject."""

from typing import Any

import structlog
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from compliance.core.accounts.models import AccountEvent, User
from compliance.core.accounts.services.invitations import SentInvitation
from compliance.core.web.local_time import format_local
from compliance.core.web.mail.render import render_email, site_base_url

logger = structlog.get_logger(__name__)


def send_templated_email(name: str, to: str, **context: Any) -> bool:
    """Returns whether the mail server accepted it. A failure is logged, not raised: the change itself is committed."""
    subject, body = render_email(f"accounts/emails/{name}.txt", context)
    try:
        return bool(send_mail(subject, body, None, [to]))
    except OSError as error:
        logger.warning("letter_not_sent", letter=name, error=str(error))
        return False


def send_invitation(invited: SentInvitation, site: str) -> bool:
    invitation = invited.invitation
    expires = format_local(invitation.expires_at, invitation.casino)
    return send_templated_email(
        "invitation", invitation.email, invitation=invitation, link=invited.accept_url(site), expires=expires
    )


def send_password_reset(person: User, site: str) -> bool:
    proof = [urlsafe_base64_encode(force_bytes(person.pk)), default_token_generator.make_token(person)]
    return send_templated_email(
        "password-reset", person.email, person=person, link=site + reverse("accounts:reset", args=proof)
    )


def send_event_notice(event: AccountEvent) -> bool:
    """Notifies a person of a change to their account, so that they can object."""
    if event.subject is None:
        return False
    when = format_local(event.at, event.casino)
    return send_templated_email(
        "notice", event.subject.email, event=event, person=event.subject, when=when, site=site_base_url()
    )
