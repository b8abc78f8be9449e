"""Single sign-on: offered by an administrator, linked by the person themselves, removed by either.

None of it gives a role. An account reaches across casinos, so offering needs an administrator of all of them.
"""

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction

from compliance.accounts.events import Act, record_acts
from compliance.accounts.identity_links import IdentityLink
from compliance.accounts.models import Casino, EventKind, User
from compliance.accounts.services.people import end_sessions, require_whole_account
from compliance.accounts.single_sign_on.errors import LinkedAlready, NotItsPerson, NotLinked, NotOffered
from compliance.accounts.single_sign_on.providers import Provider
from compliance.accounts.single_sign_on.waiting import Found


def _lock(subject: User) -> User:
    """Read afresh: roles and address may have changed since the page was opened."""
    return User.objects.select_for_update(no_key=True).get(pk=subject.pk)


@transaction.atomic
def offer_identity(*, subject: User, provider: Provider, casino: Casino, actor: User, now: datetime) -> IdentityLink:
    """For somebody whose provider does not vouch for their e-mail address. An offer that ran out makes way."""
    require_whole_account(actor, subject, casino)
    subject = _lock(subject)
    if not provider.answers_for(subject):
        raise NotItsPerson
    standing = subject.identity_links.open().filter(issuer=provider.issuer)
    if standing.linked().exists() or standing.usable(now).exists():
        raise LinkedAlready
    former = [_end(link, actor, now) for link in standing]
    link = IdentityLink.objects.create(
        user=subject, provider=provider.slug, issuer=provider.issuer, salt=secrets.token_hex(16),
        offered_by=actor, offered_at=now,
    )  # fmt: skip
    offered = Act(kind=EventKind.IDENTITY_OFFERED, actor=actor, subject=subject, identity=link)
    record_acts(*former, offered, casino=casino, at=now)
    return link


@transaction.atomic
def link_identity(*, actor: User, provider: Provider, found: Found, now: datetime) -> IdentityLink:
    """The person proved by password and code that the account is theirs, and to the provider who they are there."""
    actor = _lock(actor)
    if not provider.answers_for(actor):
        raise NotItsPerson
    linked = IdentityLink.objects.linked().filter(issuer=provider.issuer)
    if linked.filter(subject=found.subject).exists() or linked.filter(user=actor).exists():
        raise LinkedAlready
    link = actor.identity_links.usable(now).filter(issuer=provider.issuer).first()
    former: list[Act] = []
    if link is None:
        if not (found.is_email_verified and found.email == actor.email):
            raise NotOffered
        former = [_end(stale, actor, now) for stale in actor.identity_links.open().filter(issuer=provider.issuer)]
        link = IdentityLink(user=actor, provider=provider.slug, issuer=provider.issuer, salt=secrets.token_hex(16))
    link.subject, link.linked_at = found.subject, now
    try:
        with transaction.atomic():
            link.save()
    except IntegrityError as error:
        # Somebody else linked the same identity at the same moment, and was first.
        raise LinkedAlready from error
    record_acts(
        *former, Act(kind=EventKind.IDENTITY_LINKED, actor=actor, subject=actor, identity=link), casino=None, at=now
    )
    return link


@transaction.atomic
def remove_identity(*, link: IdentityLink, casino: Casino | None, actor: User, now: datetime) -> IdentityLink:
    """By the person, without a casino, or by an administrator. Sessions end: one may have come in by it."""
    if casino is not None:
        require_whole_account(actor, link.user, casino)
    elif actor.pk != link.user_id:
        raise NotLinked
    _lock(link.user)
    standing = IdentityLink.objects.open().select_related("user").filter(pk=link.pk).first()
    if standing is None:
        raise NotLinked
    removed = _end(standing, actor, now)
    end_sessions(standing.user)
    record_acts(removed, casino=casino, at=now)
    return standing


def _end(link: IdentityLink, actor: User, now: datetime) -> Act:
    link.ended_by, link.ended_at = actor, now
    link.save(update_fields=["ended_by", "ended_at"])
    return Act(kind=EventKind.IDENTITY_REMOVED, actor=actor, subject=link.user, identity=link)
