"""What waits in the session, on the server: journeys to a provider and back, and an identity to be linked."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest

from compliance.accounts.single_sign_on.providers import Identity

JOURNEYS, FOUND = "journeys", "identity_found"
# The provider by which this session was opened.
CAME_BY = "came_by"
LASTS = timedelta(minutes=10)
# Windows in which one browser may be on its way at once.
MOST = 5


@dataclass(frozen=True)
class Journey:
    provider: str
    nonce: str
    verifier: str
    way_back: str
    then: str
    began_at: float


@dataclass(frozen=True)
class Found:
    """An identity that is linked to nobody yet. Its person proves by password and code that the account is theirs."""

    provider: str
    subject: str
    email: str
    is_email_verified: bool
    then: str
    found_at: float


def keep_journey(request: HttpRequest, state: str, journey: Journey) -> None:
    others = list(request.session.get(JOURNEYS, {}).items())[1 - MOST :]
    request.session[JOURNEYS] = dict(others) | {state: asdict(journey)}


def take_journey(request: HttpRequest, state: str, provider: str, now: datetime) -> Journey | None:
    """Once: whatever comes of it, the same state leads nowhere again."""
    journeys = dict(request.session.get(JOURNEYS, {}))
    kept = journeys.pop(state, None)
    if kept is None:
        return None
    request.session[JOURNEYS] = journeys
    journey = Journey(**kept)
    is_it = journey.provider == provider and _is_fresh(journey.began_at, now)
    return journey if is_it else None


def keep_found(request: HttpRequest, journey: Journey, identity: Identity, now: datetime) -> None:
    found = Found(
        journey.provider, identity.subject, identity.email, identity.is_email_verified, journey.then, now.timestamp()
    )
    request.session[FOUND] = asdict(found)


def found_in(request: HttpRequest, now: datetime) -> Found | None:
    kept = request.session.get(FOUND)
    found = Found(**kept) if kept else None
    return found if found and _is_fresh(found.found_at, now) else None


def forget_found(request: HttpRequest) -> None:
    request.session.pop(FOUND, None)


def _is_fresh(began_at: float, now: datetime) -> bool:
    return 0 <= now.timestamp() - began_at <= LASTS.total_seconds()
