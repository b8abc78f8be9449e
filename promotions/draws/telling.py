"""By when a winner must be told, and whether that was done: an attempt by a listed method, in time, is enough (N43)."""

from dataclasses import dataclass
from datetime import date, datetime

from compliance.accounts.models import Casino
from promotions.deadlines import Known, end_of, last_day
from rounds.engine.promotion_duties import WinnerNotification


@dataclass(frozen=True)
class Telling:
    """Until the end of `last_on`, which is `ends_at`."""

    last_on: date
    ends_at: datetime

    def is_overdue(self, attempted_at: datetime | None, now: datetime) -> bool:
        """Nobody tried in time, and the time is over."""
        if attempted_at is not None and attempted_at < self.ends_at:
            return False
        return now >= self.ends_at


def telling(casino: Casino, drawn_at: datetime, duty: WinnerNotification, known: Known | None = None) -> Telling:
    rolls_over = duty.rolls_over_non_business_days
    last_on = last_day(casino, drawn_at, duty.within_days, rolls_over=rolls_over, known=known)
    return Telling(last_on, end_of(casino, last_on))


def applies(duty: WinnerNotification, *, is_presence_required: bool) -> bool:
    return not (duty.only_if_presence_not_required and is_presence_required)
