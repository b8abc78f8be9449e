"""Denied claims: which need the claimant's name and address, and how long the patron waited for the reasons."""

from datetime import datetime, timedelta

from compliance.core.accounts.models import Casino
from promotions.claims.models import ClaimDecision
from promotions.shared.deadlines import REASONS_WITHIN_DAYS, HolidayCache, deadline_day, end_of_day
from rounds.engine import pack


def needs_claimant_details(value_cents: int, duty: pack.ClaimDenial) -> bool:
    """Strictly above the threshold: at the threshold itself no address is required (N47)."""
    return value_cents > duty.record_over_cents


def waiting_time(decision: ClaimDecision, now: datetime) -> timedelta:
    """From the decision to the notification; while there is none, until now."""
    notification = decision.get_reasons_told()
    return (notification.told_at if notification else now) - decision.at


def overdue_at(casino: Casino, denied_at: datetime, holiday_cache: HolidayCache | None = None) -> datetime:
    return end_of_day(casino, deadline_day(casino, denied_at, REASONS_WITHIN_DAYS, holiday_cache=holiday_cache))


def format_waiting_time(waiting: timedelta) -> str:
    minutes = int(waiting.total_seconds()) // 60
    days, rest = divmod(max(minutes, 0), 24 * 60)
    hours, minutes = divmod(rest, 60)
    return f"{days} d {hours} h" if days else f"{hours} h {minutes:02} min"
