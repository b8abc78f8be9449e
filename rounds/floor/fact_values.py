"""What each dated fact says, as strict values. They state what is so, not whether it is allowed."""

import re
from collections.abc import Mapping
from datetime import date, time
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from rounds.floor.errors import BadFact

WHERE = re.compile(r"^(?P<what>.*?)(?: - at (?:`key` in )?`\$?\.?(?P<path>[^`]*)`)?$", re.DOTALL)


class Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A member that nobody knows is refused, so that a misspelt one is seen."""


# Patterns end in $(?!\n) because Python's $ alone would let a newline follow.
Cents: TypeAlias = Annotated[int, Meta(ge=1, le=100_000_000_000)]
Clock: TypeAlias = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)")]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=120)]
Slug: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,49}$(?!\n)")]
Odds: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
ShakerType: TypeAlias = Literal["manual", "automated"]

# --- Of a casino ----------------------------------------------------------------------------------------------------


class Currency(Value, frozen=True, kw_only=True):
    code: Annotated[str, Meta(pattern=r"^[A-Z]{3}$(?!\n)")]


class GamingDay(Value, frozen=True, kw_only=True):
    """The clock time at which one gaming day ends and the next begins."""

    cut_over: Clock


class Shift(Value, frozen=True, kw_only=True):
    name: Word
    starts: Clock


class Shifts(Value, frozen=True, kw_only=True):
    shifts: Annotated[tuple[Shift, ...], Meta(min_length=1, max_length=12)]


class Holiday(Value, frozen=True, kw_only=True):
    on: date
    name: Word


class Holidays(Value, frozen=True, kw_only=True):
    """The calendar as a whole: a new one replaces the old."""

    days: Annotated[tuple[Holiday, ...], Meta(max_length=400)]


# --- Of a table -----------------------------------------------------------------------------------------------------


class TableRules(Value, frozen=True, kw_only=True):
    rules: Slug


class PayTable(Value, frozen=True, kw_only=True):
    pay_table: Word


class WagersOffered(Value, frozen=True, kw_only=True):
    """Which of the optional wagers are offered. What a document does not call optional is offered at every table."""

    wagers: tuple[Slug, ...]


class PostedOdds(Value, frozen=True, kw_only=True):
    """What is posted at the table, word for word; a box not named is paid at the document's odds."""

    odds: dict[str, Odds | tuple[Odds, ...]]
    wording: Annotated[str, Meta(max_length=500)] | None = None


class Limits(Value, frozen=True, kw_only=True):
    """`multiples`: wagers must be multiples of the minimum. `unit`: the step above the minimum that the sign states."""

    min: Cents
    max: Cents
    multiples: bool = False
    unit: Cents | None = None


class SmallestChip(Value, frozen=True, kw_only=True):
    """The smallest amount that the table's float can pay."""

    cents: Cents


class StreakAmount(Value, frozen=True, kw_only=True):
    """The exact amount of a Super Streak wager, as its sign states it."""

    cents: Cents


class Equipment(Value, frozen=True, kw_only=True):
    layout: Word
    screen: Literal["none", "plasma", "lcd"]
    touch_screen: bool
    shaker: Literal["none", "manual", "automated"]


class Decks(Value, frozen=True, kw_only=True):
    decks: Annotated[int, Meta(ge=0, le=1000)]


class DiceInUse(Value, frozen=True, kw_only=True):
    """The set of dice at the table; none between one set and the next."""

    dice: Word | None


class ShakerInUse(Value, frozen=True, kw_only=True):
    shaker: Word | None
    type: ShakerType | None = None


# --- Of a terminal --------------------------------------------------------------------------------------------------


class TerminalLayout(Value, frozen=True, kw_only=True):
    layout: Word


V = TypeVar("V", bound=Value)


def read_value(kind: type[V], raw: Mapping[str, Any]) -> V:
    """The value, or a refusal that names the member which is wrong."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        parts = WHERE.match(str(error))
        assert parts is not None
        raise BadFact(f"{parts['what']}.", field=parts["path"] or "") from error


def value_as_dict(value: Value) -> dict[str, Any]:
    """As it stands in the entry."""
    # By way of JSON, so that it is equal to what the database and the entry give back: lists, not tuples.
    content: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return content


def parse_clock(text: str) -> time:
    return time.fromisoformat(text)
