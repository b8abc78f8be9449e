"""Queries on claims. A single one is fetched through access_claim; absent and forbidden raise the same error."""

from datetime import datetime, time, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from promotions.claims.models import Claim, ClaimDecision, ClaimQuerySet, ClaimState
from promotions.shared.permissions import MAY_READ
from promotions.terms.content.terms import Terms
from promotions.terms.selectors import version_in_force
from rounds.floor.facts.gaming_days import clock_instant

MIDNIGHT = time(0)


def access_claim(user: User, casino: Casino, number: int, *, is_withdrawn_shown: bool = False) -> Claim:
    may = user.has_role(*MAY_READ, casino=casino)
    found = (
        (Claim.recorded if is_withdrawn_shown else Claim.objects)
        .with_details()
        .filter(casino=casino, number=number)
        .first()
        if may
        else None
    )
    if found is None:
        raise NotFound
    return found


def claims_of(casino: Casino) -> ClaimQuerySet:
    return Claim.objects.with_details().filter(casino=casino)


STATE_FILTERS = {
    ClaimState.OPEN: Q(("is_met", None)),
    ClaimState.MET: Q(("is_met", True), ("is_paid", False)),
    ClaimState.PAID: Q(("is_paid", True)),
    ClaimState.DENIED: Q(("is_met", False)),
}


def search_claims(casino: Casino, *, words: str = "", state: str = "") -> ClaimQuerySet:
    """Withdrawn claims too: the list marks them."""
    claims = Claim.recorded.with_details().filter(casino=casino)
    if state in STATE_FILTERS:
        claims = claims.filter(STATE_FILTERS[ClaimState(state)])
    return claims.filter(_text_filter(words)) if words else claims


def search_denials(casino: Casino, chosen: dict[str, Any]) -> ClaimQuerySet:
    """Register of denied claims, filtered by text, day of the denial and value."""
    denials = claims_of(casino).denied()
    if words := chosen.get("words"):
        denials = denials.filter(_text_filter(words))
    if since := chosen.get("since"):
        denials = denials.filter(Q(("decided_at__gte", clock_instant(since, MIDNIGHT, casino.zone))))
    if until := chosen.get("until"):
        end = clock_instant(until + timedelta(days=1), MIDNIGHT, casino.zone)
        denials = denials.filter(Q(("decided_at__lt", end)))
    if (over := chosen.get("over_cents")) is not None:
        denials = denials.filter(value_cents__gt=over)
    return denials


def _text_filter(words: str) -> Q:
    number = words.upper().removeprefix("C-")
    by_number = Q(number=int(number)) if number.isdecimal() and len(number) < 10 else Q()
    by_reasons = Exists(ClaimDecision.objects.filter(claim=OuterRef("pk"), reasons__icontains=words))
    by_text = Q(prize__icontains=words) | Q(by_reasons) | Q(details__icontains=words)
    return by_text | by_number if by_number else by_text


def unnotified_denials(casino: Casino) -> ClaimQuerySet:
    """Denials without a recorded notification of the patron, oldest first."""
    return claims_of(casino).unnotified().order_by(F("decided_at").asc(), "pk")


def open_claims(casino: Casino, before: datetime) -> ClaimQuerySet:
    return claims_of(casino).filter(STATE_FILTERS[ClaimState.OPEN], claimed_at__lte=before).order_by("claimed_at", "pk")


def terms_of(claim: Claim) -> Terms:
    """The terms in force when it was claimed, or the first ones after that."""
    in_force = version_in_force(claim.promotion, claim.claimed_at) or version_in_force(claim.promotion, claim.at)
    return in_force.terms if in_force else Terms({})
