"""What people read on a sign from five metres away: three facts at most, in as few words as there can be."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from compliance.accounts.models import Casino
from compliance.signs.clock import minutes_until
from compliance.signs.models import Purpose, Sign
from compliance.web.forms import dollars
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at
from rounds.floor.values import Limits, StreakAmount

MOST_FACTS = 3


@dataclass(frozen=True)
class Fact:
    """`label` says what it is, `value` is what the eye looks for."""

    label: str
    value: str


def amount(cents: int) -> str:
    """$25, and $2.50 where cents matter."""
    return f"${dollars(cents).removesuffix('.00')}"


def time_of_day(instant: datetime, casino: Casino) -> str:
    """9:42 pm, by the casino's clock."""
    local = instant.astimezone(casino.zone)
    return f"{local.hour % 12 or 12}:{local:%M} {'am' if local.hour < 12 else 'pm'}"


def time_to_the_second(instant: datetime, casino: Casino) -> str:
    """9:42:07 pm"""
    minute, half = time_of_day(instant, casino).split()
    return f"{minute}:{instant:%S} {half}"


def time_left(instant: datetime, now: datetime) -> str:
    """17 minutes; above two hours 7 h 57 min."""
    left = minutes_until(instant, now)
    if left >= 120:
        return f"{left // 60} h {left % 60} min"
    return "now" if left == 0 else f"{left} minute{'' if left == 1 else 's'}"


def time_ahead(instant: datetime, now: datetime) -> str:
    left = time_left(instant, now)
    return "Now" if left == "now" else f"In {left}"


def facts_on(signs: Sequence[Sign], now: datetime | None) -> list[Fact]:
    """All the signs of a table on one screen. Alone, a sign also says how long it is until then; not on paper."""
    wanted = [sign for sign in signs if sign.purpose != Purpose.PLAYER_LIMITS]
    announcing = [sign for sign in wanted if sign.purpose != Purpose.FINAL_CALL]
    facts = [fact for sign in announcing for fact in _facts(sign, is_alone=len(announcing) == 1, now=now)]
    if any(sign.purpose == Purpose.FINAL_CALL for sign in wanted):
        facts.append(Fact("Super Streak", "no new wagers"))
    return facts[:MOST_FACTS]


def _facts(sign: Sign, *, is_alone: bool, now: datetime | None) -> list[Fact]:
    is_change = sign.purpose == Purpose.LIMIT_CHANGE
    at = sign.instant("change_at" if is_change else "closure_at")
    assert at is not None
    when = time_of_day(at, sign.casino)
    if not is_change:
        facts = [Fact("This table closes", when)]
    elif is_alone:
        facts = [Fact("New minimum", amount(sign.content["min"])), Fact("From", when)]
    else:
        facts = [Fact("New minimum", f"{amount(sign.content['min'])} from {when}")]
    return [*facts, Fact("Time left", time_left(at, now))] if is_alone and now else facts


def player_facts(sign: Sign) -> list[Fact]:
    """For the card that stands before one player."""
    who = sign.content.get("player") or f"Seat {sign.content['seat']}"
    return [
        Fact("Only for", str(who)),
        Fact("Minimum", amount(sign.content["min"])),
        Fact("Maximum", amount(sign.content["max"])),
    ]


def facts_of(sign: Sign) -> list[Fact]:
    """One sign alone, as it stands on paper."""
    return player_facts(sign) if sign.purpose == Purpose.PLAYER_LIMITS else facts_on([sign], None)


def standing_facts(table: Table, now: datetime) -> list[Fact]:
    """What the limits sign says while nothing is announced."""
    held = facts_at(table, now)
    limits, streak = held.get(Limits), held.get(StreakAmount)
    facts = [Fact("Minimum", amount(limits.min)), Fact("Maximum", amount(limits.max))] if limits else []
    return [*facts, Fact("Super Streak", amount(streak.cents))] if streak else facts
