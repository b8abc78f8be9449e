"""Formatting of local times, and the two daylight-saving cases:
times that do not exist and times that happen twice."""

import re
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, tzinfo
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


UTC_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)(\.\d+)? UTC")


def format_clock(instant: datetime, place: Any = None) -> str:
    """20:00:40 AEDT, with a fraction of a second where there is one."""
    local = instant.astimezone(zone_of_place(place))
    fraction = f"{local:.%f}".rstrip("0.")
    return f"{local:%H:%M:%S}{fraction} {zone_abbreviation(local)}"


def replace_utc_clocks(sentence: str, at: datetime, show: Callable[[datetime], str]) -> str:
    """The sentence, about something at this instant, with its times in UTC shown otherwise. Recorded sentences state
    times in UTC, so that they do not depend on a casino's zone."""

    def replace(found: re.Match[str]) -> str:
        hour, minute, second = (int(part) for part in found.groups()[:3])
        micros = round(float(found[4] or 0) * 1_000_000)
        stated = at.astimezone(UTC).replace(hour=hour, minute=minute, second=second, microsecond=micros)
        return show(min((stated + timedelta(days=days) for days in (-1, 0, 1)), key=lambda time: abs(time - at)))

    return UTC_CLOCK.sub(replace, sentence)


def with_local_clocks(sentence: str, at: datetime, place: Any) -> str:
    """The sentence with the place's local times instead of times in UTC."""
    return replace_utc_clocks(sentence, at, lambda time: format_clock(time, place))


def is_nonexistent_time(local: datetime) -> bool:
    """Whether this local time was skipped when clocks went forward. In the first and last year of the calendar no clock
    changes, and a conversion may leave the calendar."""
    if local.year in (MINYEAR, MAXYEAR):
        return False
    return local.astimezone(UTC).astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None)


def is_ambiguous_time(local: datetime) -> bool:
    """Whether this local time happened twice, because clocks went back."""
    first, second = local.replace(fold=0), local.replace(fold=1)
    return not is_nonexistent_time(local) and first.utcoffset() != second.utcoffset()
