"""Denied claims: which are kept with name and address, and how soon the patron was told why."""

from datetime import datetime, timedelta

from compliance.accounts.models import Casino
from promotions.claims.models import ClaimDecision
from promotions.deadlines import Known, end_of, last_day
from promotions.figures import REASONS_WITHIN_DAYS
from rounds.engine.promotion_duties import ClaimDenial


def is_kept_with_details(value_cents: int, duty: ClaimDenial) -> bool:
    """Strictly above: at the figure itself nobody is asked for an address (N47)."""
    return value_cents > duty.record_over_cents


def waited(decision: ClaimDecision, now: datetime) -> timedelta:
    """From the decision to the telling; while nobody is told, until now."""
    told = decision.reasons_told()
    return (told.told_at if told else now) - decision.at


def flagged_at(casino: Casino, denied_at: datetime, known: Known | None = None) -> datetime:
    return end_of(casino, last_day(casino, denied_at, REASONS_WITHIN_DAYS, known=known))


def waited_words(waiting: timedelta) -> str:
    minutes = int(waiting.total_seconds()) // 60
    days, rest = divmod(max(minutes, 0), 24 * 60)
    hours, minutes = divmod(rest, 60)
    return f"{days} d {hours} h" if days else f"{hours} h {minutes:02} min"
