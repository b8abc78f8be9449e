"""The clock of a sign, worked out from stored instants: since when it is up, and what that allows. No clock is read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

REFRESH_SECONDS = 10
# Until a display has reported a sign that it was just given, it is asked again sooner.
FIRST_REFRESH_SECONDS = 2
# Three refreshes missed, and a moment for the network.
SILENT_AFTER = timedelta(seconds=45)


@dataclass(frozen=True)
class DisplayInterval:
    """An unbroken time of being up. `last_seen_at` is a display's last word; None where nobody need repeat it.

    A stretch that lasts has no `until_at`."""

    since_at: datetime
    until_at: datetime | None = None
    last_seen_at: datetime | None = None

    @property
    def end_at(self) -> datetime | None:
        """Until when it is known to have been up; None where that is until now."""
        return self.until_at or self.last_seen_at

    def is_silent(self, now: datetime) -> bool:
        return self.until_at is None and self.last_seen_at is not None and now - self.last_seen_at > SILENT_AFTER

    def is_current(self, now: datetime) -> bool:
        return self.until_at is None and not self.is_silent(now)

    def covers(self, first: datetime, last: datetime, now: datetime) -> bool | None:
        """Whether the sign was up from one instant to the other; None while a display may still say so."""
        if self.since_at > first:
            return False
        if self.end_at is None or self.end_at >= last:
            return True
        return None if self.is_current(now) else False


@dataclass(frozen=True)
class SignClock:
    """How long a sign has been up, and what is still to come.

    Where coming down restarts it, only an unbroken stretch counts; elsewhere it goes on from where it stopped."""

    notice: timedelta
    intervals: Sequence[DisplayInterval]
    now: datetime
    restarts: bool = True

    @property
    def current_interval(self) -> DisplayInterval | None:
        return next((stretch for stretch in self.intervals if stretch.is_current(self.now)), None)

    @property
    def silent_interval(self) -> DisplayInterval | None:
        """The stretch of a display that says nothing more, before its loss is on record."""
        return next((stretch for stretch in self.intervals if stretch.is_silent(self.now)), None)

    @property
    def is_up(self) -> bool:
        return self.current_interval is not None

    @property
    def since_at(self) -> datetime | None:
        return self.current_interval.since_at if self.current_interval else None

    @property
    def last_known_up_at(self) -> datetime | None:
        """When it was last known to be up, of a sign that is not up now."""
        ends = [stretch.end_at for stretch in self.intervals]
        return None if self.is_up else max((end for end in ends if end), default=None)

    @property
    def earliest_at(self) -> datetime:
        """The earliest lawful instant: from now on, if it went up this moment; never earlier than it can be."""
        return (self.since_at or self.now) + self._notice_remaining(self.current_interval)

    def _notice_remaining(self, interval: DisplayInterval | None) -> timedelta:
        """Of the notice, when a stretch began; without one, when it is not up."""
        if self.restarts:
            return self.notice
        earlier = [each for each in self.intervals if interval is None or each.since_at < interval.since_at]
        stood = sum(((each.end_at or each.since_at) - each.since_at for each in earlier), timedelta())
        return max(self.notice - stood, timedelta())

    @property
    def minutes_left(self) -> int:
        """Whole minutes until the sign has been up long enough, rounded up: 0 means that it has."""
        return minutes_until(self.earliest_at, self.now)

    def was_up_before(self, instant: datetime) -> bool | None:
        """Whether it was up for the whole notice before an instant, and up then; None if that is not known yet."""
        answers = [each.covers(instant - self._notice_remaining(each), instant, self.now) for each in self.intervals]
        if any(answers):
            return True
        return None if None in answers else False

    def can_be_in_time(self, instant: datetime) -> bool:
        return self.was_up_before(instant) is not False or self.earliest_at <= instant


def minutes_until(instant: datetime, now: datetime) -> int:
    """17 minutes and a second are 18: nobody is told that it is over before it is."""
    return max(0, -((now - instant) // timedelta(minutes=1)))


def next_whole_minute(instant: datetime) -> datetime:
    """People state times in whole minutes; the earliest of them that is not too early."""
    whole = instant.replace(second=0, microsecond=0)
    return whole if whole == instant else whole + timedelta(minutes=1)
