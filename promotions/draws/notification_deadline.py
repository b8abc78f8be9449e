"""Deadline for notifying a winner. One attempt by a listed method before it is enough (N43)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from compliance.core.accounts.models import Casino
from promotions.shared.deadlines import HolidayCache, business_day, calendar_day, end_of_day
from rounds.engine import pack


@dataclass(frozen=True)
class NotificationDeadline:
    """Ends with the day `last_on`, which is at `ends_at`. `by_reading` is the last day by each choice of the reading
    `notification-days`, of which the rule pack has adopted one."""

    last_on: date
    ends_at: datetime
    by_reading: Mapping[str, date]

    def is_overdue(self, attempted_at: datetime | None, now: datetime) -> bool:
        """No attempt was made in time, and the deadline has passed."""
        if attempted_at is not None and attempted_at < self.ends_at:
            return False
        return now >= self.ends_at


def winner_deadline(
    casino: Casino, drawn_at: datetime, duty: pack.WinnerNotification, holiday_cache: HolidayCache | None = None
) -> NotificationDeadline:
    by_reading = {
        "interpretation-act": business_day(
            casino, drawn_at, duty.within_days, duty.holiday_calendar, holiday_cache=holiday_cache
        ),
        "calendar-days": calendar_day(casino, drawn_at, duty.within_days),
    }
    last_on = by_reading[duty.days_reading]
    return NotificationDeadline(last_on, end_of_day(casino, last_on), by_reading)


def is_notification_required(duty: pack.WinnerNotification, *, is_presence_required: bool) -> bool:
    return not (duty.only_if_presence_not_required and is_presence_required)
