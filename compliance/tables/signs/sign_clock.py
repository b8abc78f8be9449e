"""Pure computation of a sign's clock from stored times: since when it is up, and what that allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

REFRESH_SECONDS = 10
# A display that was just given a sign reloads sooner, until it has reported the sign.
FIRST_REFRESH_SECONDS = 2
# Three missed refreshes, plus time for the network.
SILENT_AFTER = timedelta(seconds=45)


@dataclass(frozen=True)
class DisplayInterval:
    """An unbroken interval of being up. An ongoing one has no `until_at`.

    `last_seen_at` is the last heartbeat of a display; None for other sources, which send no heartbeat.
    """

    since_at: datetime
    until_at: datetime | None = None
    last_seen_at: datetime | None = None

    @property
    def end_at(self) -> datetime | None:
        """Until when it is known to have been up; None means until now."""
        return self.until_at or self.last_seen_at

    def is_silent(self, now: datetime) -> bool:
        return self.until_at is None and self.last_seen_at is not None and now - self.last_seen_at > SILENT_AFTER

    def is_current(self, now: datetime) -> bool:
        return self.until_at is None and not self.is_silent(now)

    def covers(self, first: datetime, last: datetime, now: datetime) -> bool | None:
        """Whether the sign was up from `first` to `last`; None while a later heartbeat may still show it."""
        if self.since_at > first:
            return False
        if self.end_at is None or self.end_at >= last:
            return True
        return None if self.is_current(now) else False


@dataclass(frozen=True)
class SignClock:
    """How long a sign has been up, and how much of the notice is left.

    With `restarts`, only one unbroken interval counts; otherwise intervals add up.
    """

    notice: timedelta
    intervals: Sequence[DisplayInterval]
    now: datetime
    restarts: bool = True

    @property
    def current_interval(self) -> DisplayInterval | None:
        return next((interval for interval in self.intervals if interval.is_current(self.now)), None)

    @property
    def silent_interval(self) -> DisplayInterval | None:
        """The interval of a display that went silent and whose loss is not recorded yet."""
        return next((interval for interval in self.intervals if interval.is_silent(self.now)), None)

    @property
    def is_up(self) -> bool:
        return self.current_interval is not None

    @property
    def displayed_since(self) -> datetime | None:
        return self.current_interval.since_at if self.current_interval else None

    @property
    def last_known_up_at(self) -> datetime | None:
        """End of the last interval of a sign that is not up now."""
        ends = [interval.end_at for interval in self.intervals]
        return None if self.is_up else max((end for end in ends if end), default=None)

    @property
    def earliest_at(self) -> datetime:
        """The earliest lawful time of the announced change; if the sign is down, as if it went up now."""
        return (self.displayed_since or self.now) + self._notice_remaining(self.current_interval)

    def _notice_remaining(self, interval: DisplayInterval | None) -> timedelta:
        """Notice still to run at the start of `interval`; without one, as of now."""
        if self.restarts:
            return self.notice
        earlier = [each for each in self.intervals if interval is None or each.since_at < interval.since_at]
        time_up = sum(((each.end_at or each.since_at) - each.since_at for each in earlier), timedelta())
        return max(self.notice - time_up, timedelta())

    @property
    def is_notice_complete(self) -> bool:
        """Whether the sign is up and has been up for the whole notice. Decides for the screens and for the audit."""
        return self.is_up and self.earliest_at <= self.now

    @property
    def minutes_left(self) -> int:
        """Whole minutes until the sign has been up long enough, rounded up; 0 when it has."""
        return minutes_until(self.earliest_at, self.now)

    def was_up_before(self, instant: datetime) -> bool | None:
        """Whether it was up for the whole notice before `instant`, and at it. None if not known yet."""
        answers = [each.covers(instant - self._notice_remaining(each), instant, self.now) for each in self.intervals]
        if any(answers):
            return True
        return None if None in answers else False

    def can_be_in_time(self, instant: datetime) -> bool:
        return self.was_up_before(instant) is not False or self.earliest_at <= instant


def minutes_until(instant: datetime, now: datetime) -> int:
    """Rounded up: 17 minutes and a second are 18, so that 0 is never shown too early."""
    return max(0, -((now - instant) // timedelta(minutes=1)))


def next_whole_minute(instant: datetime) -> datetime:
    """The next whole minute, because people state times in minutes and rounding down would be too early."""
    whole = instant.replace(second=0, microsecond=0)
    return whole if whole == instant else whole + timedelta(minutes=1)
