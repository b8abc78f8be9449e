"""Single sign-on links: offered by an administrator, linked by the person, removed by either. They give no role. An
account spans casinos, so an offer needs an administrator of all of the person's casinos."""

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction

from compliance.core.accounts.ledger.account_events import RegulatedAct, record_regulated_acts
from compliance.core.accounts.models import Casino, EventKind, User
from compliance.core.accounts.services.people import end_sessions, require_administrator_everywhere
from compliance.core.accounts.sso.errors import (
    IdentityNotLinked,
    LinkedAlready,
    LinkNotOffered,
    PersonNotCoveredByProvider,
)
from compliance.core.accounts.sso.models import IdentityLink
from compliance.core.accounts.sso.providers import Provider
from compliance.core.accounts.sso.session_state import UnlinkedIdentity


def _lock_person(subject: User) -> User:
    """Locks the row and rereads it: the e-mail address may have changed since the page was opened."""
    return User.objects.select_for_update(no_key=True).get(pk=subject.pk)


@transaction.atomic
def offer_identity(*, subject: User, provider: Provider, casino: Casino, actor: User, now: datetime) -> IdentityLink:
    """Offers a link, for people whose provider does not confirm their e-mail address. Replaces an expired offer."""
    require_administrator_everywhere(actor, subject, casino)
    subject = _lock_person(subject)
    if not provider.covers_person(subject):
        raise PersonNotCoveredByProvider
    open_links = subject.identity_links.open().filter(issuer=provider.issuer)
    if open_links.linked().exists() or open_links.open_offers(now).exists():
        raise LinkedAlready
    former = [_end_link(link, actor, now) for link in open_links]
    link = IdentityLink.objects.create(
        user=subject,
        provider=provider.slug,
        issuer=provider.issuer,
        salt=secrets.token_hex(16),
        offered_by=actor,
        offered_at=now,
    )
    offered = RegulatedAct(kind=EventKind.IDENTITY_OFFERED, actor=actor, subject=subject, identity=link)
    record_regulated_acts(*former, offered, casino=casino, at=now)
    return link


@transaction.atomic
def link_identity(*, actor: User, provider: Provider, found: UnlinkedIdentity, now: datetime) -> IdentityLink:
    """Links an identity. The person has proved the account by password and code, and the identity to the provider."""
    actor = _lock_person(actor)
    if not provider.covers_person(actor):
        raise PersonNotCoveredByProvider
    linked = IdentityLink.objects.linked().filter(issuer=provider.issuer)
    if linked.filter(subject=found.subject).exists() or linked.filter(user=actor).exists():
        raise LinkedAlready
    link = actor.identity_links.open_offers(now).filter(issuer=provider.issuer).first()
    former: list[RegulatedAct] = []
    if link is None:
        if not (found.is_email_verified and found.email == actor.email):
            raise LinkNotOffered
        former = [_end_link(stale, actor, now) for stale in actor.identity_links.open().filter(issuer=provider.issuer)]
        link = IdentityLink(user=actor, provider=provider.slug, issuer=provider.issuer, salt=secrets.token_hex(16))
    link.subject, link.linked_at = found.subject, now
    try:
        with transaction.atomic():
            link.save()
    except IntegrityError as error:
        # Race: the same identity was linked by somebody else at the same moment.
        raise LinkedAlready from error
    record_regulated_acts(
        *former,
        RegulatedAct(kind=EventKind.IDENTITY_LINKED, actor=actor, subject=actor, identity=link),
        casino=None,
        at=now,
    )
    return link


@transaction.atomic
def remove_identity(*, link: IdentityLink, casino: Casino | None, actor: User, now: datetime) -> IdentityLink:
    """Removes a link: by the person (no casino) or an administrator.
    Ends all sessions, because one may have begun by it."""
    if casino is not None:
        require_administrator_everywhere(actor, link.user, casino)
    elif actor.pk != link.user_id:
        raise IdentityNotLinked
    _lock_person(link.user)
    open_link = IdentityLink.objects.open().select_related("user").filter(pk=link.pk).first()
    if open_link is None:
        raise IdentityNotLinked
    removed = _end_link(open_link, actor, now)
    end_sessions(open_link.user)
    record_regulated_acts(removed, casino=casino, at=now)
    return open_link


def _end_link(link: IdentityLink, actor: User, now: datetime) -> RegulatedAct:
    link.ended_by, link.ended_at = actor, now
    link.save(update_fields=["ended_by", "ended_at"])
    return RegulatedAct(kind=EventKind.IDENTITY_REMOVED, actor=actor, subject=link.user, identity=link)
