"""Deadline for notifying a winner. One attempt by a listed method before it is enough (N43)."""

from dataclasses import dataclass
from datetime import date, datetime

from compliance.core.accounts.models import Casino
from promotions.shared.deadlines import HolidayCache, deadline_day, end_of_day
from rounds.engine import pack


@dataclass(frozen=True)
class NotificationDeadline:
    """Ends with the day `last_on`, which is at `ends_at`."""

    last_on: date
    ends_at: datetime

    def is_overdue(self, attempted_at: datetime | None, now: datetime) -> bool:
        """No attempt was made in time, and the deadline has passed."""
        if attempted_at is not None and attempted_at < self.ends_at:
            return False
        return now >= self.ends_at


def winner_deadline(
    casino: Casino, drawn_at: datetime, duty: pack.WinnerNotification, holiday_cache: HolidayCache | None = None
) -> NotificationDeadline:
    rolls_over = duty.rolls_over_non_business_days
    last_on = deadline_day(casino, drawn_at, duty.within_days, rolls_over=rolls_over, holiday_cache=holiday_cache)
    return NotificationDeadline(last_on, end_of_day(casino, last_on))


def is_notification_required(duty: pack.WinnerNotification, *, is_presence_required: bool) -> bool:
    return not (duty.only_if_presence_not_required and is_presence_required)
