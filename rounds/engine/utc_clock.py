"""Times of day in UTC as text, for recorded sentences: a controller may report a time with any offset."""

from datetime import UTC, datetime


def format_utc_clock(at: datetime) -> str:
    """ "09:00:40 UTC". Pages replace it by the casino's local time."""
    return f"{at.astimezone(UTC):%H:%M:%S} UTC"


def format_utc_clock_exact(at: datetime) -> str:
    """ "09:00:40.250000 UTC", for two times that may lie within one second."""
    return f"{at.astimezone(UTC):%H:%M:%S.%f} UTC"
