"""E-mails about accounts. What they say is in templates/accounts/letters/; the first line is the subject."""

from typing import Any

import structlog
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from compliance.accounts.models import AccountEvent, User
from compliance.accounts.services.invitations import Invited, site_address
from compliance.web.letters import write_letter
from compliance.web.moments import moment_text

logger = structlog.get_logger(__name__)


def send_letter(name: str, to: str, **context: Any) -> bool:
    """Whether the mail server took it. A letter that fails is logged, never raised: the act itself is done."""
    subject, body = write_letter(f"accounts/letters/{name}.txt", context)
    try:
        return bool(send_mail(subject, body, None, [to]))
    except OSError as error:
        logger.warning("letter_not_sent", letter=name, error=str(error))
        return False


def send_invitation(invited: Invited, site: str) -> bool:
    invitation = invited.invitation
    expires = moment_text(invitation.expires_at, invitation.casino)
    return send_letter("invitation", invitation.email, invitation=invitation, link=invited.link(site), expires=expires)


def send_password_reset(person: User, site: str) -> bool:
    proof = [urlsafe_base64_encode(force_bytes(person.pk)), default_token_generator.make_token(person)]
    return send_letter("password-reset", person.email, person=person, link=site + reverse("accounts:reset", args=proof))


def send_notice(event: AccountEvent) -> bool:
    """Tells somebody what was done to their account, so that they can object if it was not meant to be."""
    if event.subject is None:
        return False
    when = moment_text(event.at, event.casino)
    return send_letter("notice", event.subject.email, event=event, person=event.subject, when=when, site=site_address())
