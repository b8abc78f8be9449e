"""Server-side session state: pending authorizations, and an identity to be linked."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest

from compliance.core.accounts.sso.providers import Identity

AUTHORIZATIONS_KEY, UNLINKED_IDENTITY_KEY = "journeys", "identity_found"
# Session key: the provider by which this session was opened.
SIGNED_IN_BY_KEY = "came_by"
VALID_FOR = timedelta(minutes=10)
# Browser windows that may be signing in at once.
MAX_AUTHORIZATIONS = 5


@dataclass(frozen=True)
class PendingAuthorization:
    provider: str
    nonce: str
    verifier: str
    way_back: str
    then: str
    began_at: float


@dataclass(frozen=True)
class UnlinkedIdentity:
    """An identity without a link. The person proves by password and code that the account is theirs."""

    provider: str
    subject: str
    email: str
    is_email_verified: bool
    then: str
    found_at: float


def store_authorization(request: HttpRequest, state: str, pending: PendingAuthorization) -> None:
    others = list(request.session.get(AUTHORIZATIONS_KEY, {}).items())[1 - MAX_AUTHORIZATIONS :]
    request.session[AUTHORIZATIONS_KEY] = dict(others) | {state: asdict(pending)}


def pop_authorization(request: HttpRequest, state: str, provider: str, now: datetime) -> PendingAuthorization | None:
    """Returns and removes a pending authorization: a state works once, whatever the outcome."""
    by_state = dict(request.session.get(AUTHORIZATIONS_KEY, {}))
    stored = by_state.pop(state, None)
    if stored is None:
        return None
    request.session[AUTHORIZATIONS_KEY] = by_state
    pending = PendingAuthorization(**stored)
    is_it = pending.provider == provider and _is_fresh(pending.began_at, now)
    return pending if is_it else None


def store_unlinked_identity(
    request: HttpRequest, pending: PendingAuthorization, identity: Identity, now: datetime
) -> None:
    unlinked = UnlinkedIdentity(
        pending.provider, identity.subject, identity.email, identity.is_email_verified, pending.then, now.timestamp()
    )
    request.session[UNLINKED_IDENTITY_KEY] = asdict(unlinked)


def load_unlinked_identity(request: HttpRequest, now: datetime) -> UnlinkedIdentity | None:
    stored = request.session.get(UNLINKED_IDENTITY_KEY)
    unlinked = UnlinkedIdentity(**stored) if stored else None
    return unlinked if unlinked and _is_fresh(unlinked.found_at, now) else None


def discard_unlinked_identity(request: HttpRequest) -> None:
    request.session.pop(UNLINKED_IDENTITY_KEY, None)


def _is_fresh(began_at: float, now: datetime) -> bool:
    return 0 <= now.timestamp() - began_at <= VALID_FOR.total_seconds()
