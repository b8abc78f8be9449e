"""Formatting of local times, and the two daylight-saving cases:
times that do not exist and times that happen twice."""

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

# Passed by views, tasks and commands to long-running work that needs the time more than once.
Clock = Callable[[], datetime]


def zone_of_place(place: Any) -> tzinfo:
    """The time zone of a casino, a zone object or a zone name; UTC for None."""
    if not place:
        return ZoneInfo("UTC")
    if isinstance(place, str):
        return ZoneInfo(place)
    zone = place if isinstance(place, tzinfo) else place.zone
    if not isinstance(zone, tzinfo):
        raise TypeError(f"{place!r} names no time zone.")
    return zone


def zone_abbreviation(local: datetime) -> str:
    """AEDT, or UTC+8 where the zone has no abbreviation."""
    name = local.tzname() or "UTC"
    if name[0] not in "+-":
        return name
    hours, minutes = name[1:3].lstrip("0") or "0", name[3:5]
    return f"UTC{name[0].replace('-', '−')}{hours}" + (f":{minutes}" if minutes not in ("", "00") else "")


def format_local(instant: datetime, place: Any = None) -> str:
    """16 Nov 2026, 9:22 pm AEDT"""
    local = instant.astimezone(zone_of_place(place))
    hour = local.hour % 12 or 12
    half = "am" if local.hour < 12 else "pm"
    return f"{local.day} {local:%b %Y}, {hour}:{local:%M} {half} {zone_abbreviation(local)}"


def is_nonexistent_time(local: datetime) -> bool:
    """Whether this local time was skipped when clocks went forward."""
    return local.astimezone(UTC).astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None)


def is_ambiguous_time(local: datetime) -> bool:
    """Whether this local time happened twice, because clocks went back."""
    first, second = local.replace(fold=0), local.replace(fold=1)
    return not is_nonexistent_time(local) and first.utcoffset() != second.utcoffset()
