"""E-mails about terms: to the Authority when they are filed or an amendment is asked for, to the casino when it is
decided. They contain a link and not the terms."""

from datetime import datetime

from django.core.mail import EmailMessage

from compliance.core.accounts.models import RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.web.mail.outbox import EmailPurpose, enqueue_email
from compliance.core.web.mail.render import render_email, site_base_url
from compliance.core.web.models import OutgoingEmail
from promotions.shared.permissions import MAY_DECIDE, MAY_WRITE
from promotions.terms.models import TermsVersion


def tell_authority(version: TermsVersion, now: datetime) -> None:
    """Called before the ledger entry is appended, in the same transaction: the version has no primary key yet."""
    _enqueue(version, MAY_DECIDE, version.filed_by, now, is_decision=False)


def tell_casino(version: TermsVersion, decided_by: User, now: datetime) -> None:
    _enqueue(version, MAY_WRITE, decided_by, now, is_decision=True)


def _enqueue(version: TermsVersion, roles: frozenset[Role], actor: User, now: datetime, *, is_decision: bool) -> None:
    promotion = version.promotion
    assigned = RoleAssignment.objects.current().filter(casino=promotion.casino_id, role__in=roles)
    people = User.objects.filter(is_active=True, roles__in=assigned).exclude(pk=actor.pk).order_by("pk").distinct()
    for person in people:
        reference = {
            "promotion": promotion.pk,
            "version": version.number,
            "person": person.pk,
            "is_decision": is_decision,
        }
        enqueue_email(PURPOSE.name, person.email, reference, now)


def render_terms_email(email: OutgoingEmail) -> EmailMessage:
    of = email.reference
    version = TermsVersion.recorded.with_related().get(promotion=of["promotion"], number=of["version"])
    page = "decide" if version.is_amendment and not of["is_decision"] else "version"
    context = {
        "version": version,
        "decision": version.get_decision() if of["is_decision"] else None,
        "person": User.objects.get(pk=of["person"]),
        "link": site_base_url() + version.address(page),
    }
    return EmailMessage(*render_email("terms/emails/terms.txt", context))


PURPOSE = EmailPurpose("terms-notice", render_terms_email)
