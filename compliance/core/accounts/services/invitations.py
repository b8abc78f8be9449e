"""Invitations by e-mail, and the first casino of an installation. Tokens of links are stored only as hashes."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.urls import reverse

from compliance.core.accounts.emails import queue_invitation
from compliance.core.accounts.errors import (
    CannotGiveOwnRole,
    InvitationClosed,
    InvitationForAnotherPerson,
    InvitedAlready,
    InvitedKnownPerson,
    RoleHeldAlready,
)
from compliance.core.accounts.ledger.account_events import SITE_LOG, RegulatedAct, record_regulated_acts
from compliance.core.accounts.models import INVITATION_VALID_FOR, Casino, EventKind, Invitation, RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services.roles import lock_casinos, require_administrator, require_one_side
from compliance.core.web.mail.render import site_base_url
from rounds.ledger import open_log


@dataclass(frozen=True)
class SentInvitation:
    """An invitation with the token of its link, which is not stored."""

    invitation: Invitation
    token: str

    def accept_url(self, site: str) -> str:
        return site + reverse("accounts:accept", args=[self.token])


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def find_invitation(token: str) -> Invitation | None:
    return Invitation.objects.select_related("casino", "invited_by").filter(token_sha256=hash_token(token)).first()


@transaction.atomic
def invite_person(
    *, email: str, name: str, casino: Casino, role: str, actor: User, now: datetime, site: str = ""
) -> SentInvitation:
    """`site` is the base URL of the link, if not the configured one."""
    email = email.lower()
    if email == actor.email:
        raise CannotGiveOwnRole
    lock_casinos({casino.pk})
    require_administrator(actor, casino, role)
    if RoleAssignment.objects.current().filter(user__email=email, casino=casino, role=role).exists():
        raise RoleHeldAlready
    if Invitation.objects.open().filter(email=email, casino=casino, role=role).exists():
        raise InvitedAlready
    require_one_side(email, role)
    invited = _create_invitation(email, name, casino, role, actor, now)
    queue_invitation(invited.invitation, invited.token, site, now)
    return invited


def _create_invitation(
    email: str, name: str, casino: Casino, role: str, actor: User | None, now: datetime
) -> SentInvitation:
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        email=email,
        name=name,
        casino=casino,
        role=role,
        invited_by=actor,
        invited_at=now,
        expires_at=now + INVITATION_VALID_FOR,
        token_sha256=hash_token(token),
    )
    _record_invitation_act(EventKind.INVITED, invitation, actor, now)
    return SentInvitation(invitation, token)


def _record_invitation_act(kind: EventKind, invitation: Invitation, actor: User | None, now: datetime) -> None:
    act = RegulatedAct(kind=kind, actor=actor, role=invitation.role, invitation=invitation)
    record_regulated_acts(act, casino=invitation.casino, at=now)


def _lock_open_invitation(invitation: Invitation) -> Invitation:
    locked = Invitation.objects.select_for_update(of=("self",)).select_related("casino").get(pk=invitation.pk)
    if locked.accepted_at or locked.withdrawn_at:
        raise InvitationClosed
    return locked


@transaction.atomic
def send_invitation_again(*, invitation: Invitation, actor: User, now: datetime, site: str = "") -> SentInvitation:
    """Sends a new link for seven more days; the old one stops working."""
    require_administrator(actor, invitation.casino, invitation.role)
    invitation = _lock_open_invitation(invitation)
    token = secrets.token_urlsafe(32)
    invitation.token_sha256, invitation.expires_at = hash_token(token), now + INVITATION_VALID_FOR
    invitation.save(update_fields=["token_sha256", "expires_at"])
    _record_invitation_act(EventKind.INVITED_AGAIN, invitation, actor, now)
    queue_invitation(invitation, token, site, now)
    return SentInvitation(invitation, token)


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, actor: User, now: datetime) -> Invitation:
    require_administrator(actor, invitation.casino, invitation.role)
    invitation = _lock_open_invitation(invitation)
    invitation.withdrawn_by, invitation.withdrawn_at = actor, now
    invitation.save(update_fields=["withdrawn_by", "withdrawn_at"])
    _record_invitation_act(EventKind.INVITATION_WITHDRAWN, invitation, actor, now)
    return invitation


@transaction.atomic
def accept_as_new_person(*, invitation: Invitation, name: str, password: str, now: datetime) -> User:
    invitation = _lock_open_invitation(invitation)
    if User.objects.filter(email=invitation.email).exists():
        raise InvitedKnownPerson
    person = User(email=invitation.email, name=name, created_at=now)
    person.set_password(password)
    person.save()
    _accept_invitation(invitation, person, now)
    return person


@transaction.atomic
def accept_as_known_person(*, invitation: Invitation, actor: User, now: datetime) -> RoleAssignment:
    invitation = _lock_open_invitation(invitation)
    if actor.email != invitation.email:
        raise InvitationForAnotherPerson
    return _accept_invitation(invitation, actor, now)


def _accept_invitation(invitation: Invitation, person: User, now: datetime) -> RoleAssignment:
    if invitation.state(now) != "waiting":
        raise InvitationClosed
    if person == invitation.invited_by:
        raise CannotGiveOwnRole
    require_one_side(person.email, invitation.role)
    invitation.accepted_by, invitation.accepted_at = person, now
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    held, was_given = RoleAssignment.objects.current().get_or_create(
        user=person,
        casino=invitation.casino,
        role=invitation.role,
        defaults={"given_by": invitation.invited_by, "given_at": now},
    )
    accepted = RegulatedAct(
        kind=EventKind.INVITATION_ACCEPTED, actor=person, subject=person, role=held.role, invitation=invitation
    )
    given = RegulatedAct(kind=EventKind.ROLE_GIVEN, actor=invitation.invited_by, subject=person, role=held.role)
    record_regulated_acts(*([accepted, given] if was_given else [accepted]), casino=invitation.casino, at=now)
    return held


@transaction.atomic
def bootstrap_casino(
    *,
    slug: str,
    name: str,
    time_zone: str,
    administrator_email: str,
    government_emails: Sequence[str],
    now: datetime,
    site: str = "",
) -> dict[str, str]:
    """Creates a casino and returns the links, by e-mail address, that make its first administrator and the government's
    two. Raises ValidationError. Run again for a casino that lacks administrators of a side, it replaces their links."""
    invited = {Role.ADMINISTRATOR: _addresses(administrator_email)}
    invited[Role.GOVERNMENT_ADMINISTRATOR] = _addresses(*government_emails)
    if len({email for emails in invited.values() for email in emails}) != 3:
        raise ValidationError("Name three people: one administrator of the casino and two of the government.")
    casino = Casino.objects.filter(slug=slug).first()
    if casino is None:
        casino = Casino(slug=slug, name=name, time_zone=time_zone, created_at=now)
        casino.full_clean()
        casino.save()
        open_log(SITE_LOG, now)
        open_log(slug, now)
    lock_casinos({casino.pk})
    active = casino.roles.current().filter(user__is_active=True).values_list("role", flat=True)
    lacking = [role for role in invited if role not in set(active)]
    if not lacking:
        raise ValidationError(f"{casino.name} ({slug}) has its administrators already, who can invite others.")
    casino.invitations.open().filter(invited_by=None, role__in=lacking).update(withdrawn_at=now)
    sent = [_invite_first(email, casino, role, now) for role in lacking for email in invited[role]]
    return {one.invitation.email: one.accept_url(site or site_base_url()) for one in sent}


def _addresses(*emails: str) -> list[str]:
    cleaned = [email.strip().lower() for email in emails]
    for email in cleaned:
        validate_email(email)
    return cleaned


def _invite_first(email: str, casino: Casino, role: Role, now: datetime) -> SentInvitation:
    require_one_side(email, role)
    return _create_invitation(email, email.partition("@")[0], casino, role, None, now)
