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


def store_authorization(request: HttpRequest, state: str, journey: PendingAuthorization) -> None:
    others = list(request.session.get(AUTHORIZATIONS_KEY, {}).items())[1 - MAX_AUTHORIZATIONS :]
    request.session[AUTHORIZATIONS_KEY] = dict(others) | {state: asdict(journey)}


def pop_authorization(request: HttpRequest, state: str, provider: str, now: datetime) -> PendingAuthorization | None:
    """Returns and removes a pending authorization: a state works once, whatever the outcome."""
    journeys = dict(request.session.get(AUTHORIZATIONS_KEY, {}))
    kept = journeys.pop(state, None)
    if kept is None:
        return None
    request.session[AUTHORIZATIONS_KEY] = journeys
    journey = PendingAuthorization(**kept)
    is_it = journey.provider == provider and _is_fresh(journey.began_at, now)
    return journey if is_it else None


def store_unlinked_identity(
    request: HttpRequest, journey: PendingAuthorization, identity: Identity, now: datetime
) -> None:
    found = UnlinkedIdentity(
        journey.provider, identity.subject, identity.email, identity.is_email_verified, journey.then, now.timestamp()
    )
    request.session[UNLINKED_IDENTITY_KEY] = asdict(found)


def load_unlinked_identity(request: HttpRequest, now: datetime) -> UnlinkedIdentity | None:
    kept = request.session.get(UNLINKED_IDENTITY_KEY)
    found = UnlinkedIdentity(**kept) if kept else None
    return found if found and _is_fresh(found.found_at, now) else None


def discard_unlinked_identity(request: HttpRequest) -> None:
    request.session.pop(UNLINKED_IDENTITY_KEY, None)


def _is_fresh(began_at: float, now: datetime) -> bool:
    return 0 <= now.timestamp() - began_at <= VALID_FOR.total_seconds()
