"""Denied claims: which need the claimant's name and address, and how long the patron waited for the reasons."""

from datetime import datetime, timedelta

from compliance.core.accounts.models import Casino
from promotions.claims.models import Claim, ClaimDecision
from promotions.shared.deadlines import REASONS_WITHIN_DAYS, HolidayCache, business_day, end_of_day
from promotions.terms.content.terms import Terms
from rounds.engine import Promotions, pack


def claimed_value_cents(prize: str, value_cents: int, terms: Terms) -> int:
    """The higher of what was claimed and what the prize is worth by the terms: either may be over the figure (N47)."""
    described = terms.prize_named(prize)
    return max(value_cents, described.value_cents if described else 0)


def missing_details(claim: Claim, terms: Terms, duty: pack.ClaimDenial) -> list[str]:
    value_cents = claimed_value_cents(claim.prize, claim.value_cents, terms)
    return details_not_kept(claim.kept_details(), value_cents, duty)


def details_not_kept(kept: frozenset[str] | None, value_cents: int, duty: pack.ClaimDenial) -> list[str]:
    """Details of the claimant that must be kept if the claim is denied, and are not. Strictly above the figure: at the
    figure itself nobody is asked for an address (N47)."""
    if kept is None or value_cents <= duty.record_over_cents:
        return []
    return [name for name in duty.particulars if name not in kept and name != "reasons"]


def waiting_time(decision: ClaimDecision, now: datetime) -> timedelta:
    """From the decision to the notification; while there is none, until now."""
    notification = decision.get_reasons_told()
    return (notification.told_at if notification else now) - decision.at


def overdue_at(
    casino: Casino, denied_at: datetime, duties: Promotions, holiday_cache: HolidayCache | None = None
) -> datetime:
    calendar = duties.notification.holiday_calendar
    return end_of_day(casino, business_day(casino, denied_at, REASONS_WITHIN_DAYS, calendar, holiday_cache))


def format_waiting_time(waiting: timedelta) -> str:
    minutes = int(waiting.total_seconds()) // 60
    days, rest = divmod(max(minutes, 0), 24 * 60)
    hours, minutes = divmod(rest, 60)
    return f"{days} d {hours} h" if days else f"{hours} h {minutes:02} min"
