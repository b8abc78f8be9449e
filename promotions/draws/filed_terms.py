"""Compares how a draw was held with the terms as filed, for the audit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from promotions.terms.content.terms import Terms

# The terms name a time, and a draw takes a while. Chosen by the service; the help page says so.
HELD_WITHIN = timedelta(hours=1)


@dataclass(frozen=True)
class Difference:
    """`item` is the item of the terms that says otherwise. `found` is how it was, `filed` what the terms say."""

    item: str
    found: str
    filed: str | datetime


def differences(
    terms: Terms, held_at: datetime, entries: int, *, rescheduled_at: datetime | None, was_postponed: bool
) -> Iterator[Difference]:
    """A draw that was validated and scheduled again is held at its new time instead of the filed one. `was_postponed`
    is whether the whole promotion had been."""
    times = (rescheduled_at,) if rescheduled_at else terms.award_times
    is_at_filed_time = any(time <= held_at <= time + HELD_WITHIN for time in times)
    if terms.closes_at and held_at < terms.closes_at and not (is_at_filed_time and not rescheduled_at):
        yield Difference("closing-of-entries", "before entries closed", terms.closes_at)
    is_late_for_cause = was_postponed and held_at >= max(times, default=held_at)
    if times and not is_at_filed_time and not is_late_for_cause:
        yield Difference("when-and-where-awarded", "at another time", min(times, key=lambda time: abs(time - held_at)))
    if entries == 0:
        yield Difference("manner-of-award", "with no entries", "an entry is drawn")
