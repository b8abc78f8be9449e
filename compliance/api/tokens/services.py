"""Makes and revokes tokens. The maker is accountable for what is read with it."""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from compliance.api.entry_kinds import MADE, REVOKED
from compliance.api.errors import NothingToRead, RevokedAlready
from compliance.api.models import ApiToken, Scope, TokenEnd, TokenGrant
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES
from rounds.ledger import write_row

TOKEN_PREFIX = "fairthrow_"  # noqa: S105 - not a secret
MAX_VALID_DAYS = 366


@dataclass(frozen=True)
class NewToken:
    """`secret` is what the other system sends. It is shown once and not stored."""

    token: ApiToken
    secret: str


def token_digest(secret: str) -> str:
    """Plain SHA-256 is enough: the secret has 256 random bits, so it cannot be guessed like a password."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def make_token(
    *, name: str, casinos: Collection[Casino], scopes: Collection[str], days: int, actor: User, now: datetime
) -> NewToken:
    allowed = [casino for casino in actor.casinos_with(*GOVERNMENT_ROLES) if casino in casinos]
    known = [scope.value for scope in Scope if scope.value in scopes]
    if len(allowed) < len(casinos) or not allowed or not known or not 1 <= days <= MAX_VALID_DAYS:
        raise NothingToRead
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        name=name,
        token_sha256=token_digest(secret),
        scopes=known,
        made_by=actor,
        made_by_name=actor.name,
        made_at=now,
        expires_at=now + timedelta(days=days),
    )
    for casino in _sort_in_lock_order(allowed):
        write_row(TokenGrant(token=token, casino=casino), kind=MADE, log=casino.slug, now=now)
    return NewToken(token, secret)


@transaction.atomic
def revoke_token(*, token: ApiToken, reason: str, actor: User, now: datetime) -> list[TokenEnd]:
    """Revokes the token at every casino where the actor has a government role, because a leaked token must stop working
    everywhere."""
    ApiToken.objects.select_for_update().get(pk=token.pk)
    own_casinos = {casino.pk for casino in actor.casinos_with(*GOVERNMENT_ROLES)}
    grants = {
        grant.casino: grant for grant in token.grants.filter(end=None, casino__in=own_casinos).select_related("casino")
    }
    if not grants:
        raise RevokedAlready
    ended = []
    for casino in _sort_in_lock_order(list(grants)):
        end = TokenEnd(grant=grants[casino], reason=reason, by=actor, by_name=actor.name, at=now)
        ended.append(write_row(end, kind=REVOKED, log=casino.slug, now=now))
    return ended


def _sort_in_lock_order(casinos: Sequence[Casino]) -> list[Casino]:
    """Lock order: each append locks a casino's log, so casinos are sorted by slug. A different order could deadlock."""
    return sorted(casinos, key=lambda casino: casino.slug)
