"""The value of each dated fact, as a strict msgspec struct. Describes what is there, not whether the rules allow it."""

import re
from collections.abc import Mapping
from datetime import date, time
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from rounds.engine import BET_CODES
from rounds.floor.errors import BadFact

WHERE = re.compile(r"^(?P<what>.*?)(?: - at (?:`key` in )?`\$?\.?(?P<path>[^`]*)`)?$", re.DOTALL)


class FactValue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all fact values. Unknown members are refused, so that a misspelt one is noticed."""


# Patterns end in $(?!\n) because Python's $ alone would let a newline follow.
MAX_CENTS = 100_000_000_000
Cents: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_CENTS)]
Clock: TypeAlias = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)")]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=120)]
Slug: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,49}$(?!\n)")]
Odds: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
if TYPE_CHECKING:
    Bet: TypeAlias = str
else:
    Bet = Literal[BET_CODES]
ShakerType: TypeAlias = Literal["manual", "automated"]

# --- Facts of a casino ----------------------------------------------------------------------------------------------


class CurrencyValue(FactValue, frozen=True, kw_only=True):
    code: Annotated[str, Meta(pattern=r"^[A-Z]{3}$(?!\n)")]


class GamingDayValue(FactValue, frozen=True, kw_only=True):
    """The clock time at which one gaming day ends and the next begins."""

    cut_over: Clock


class Shift(FactValue, frozen=True, kw_only=True):
    name: Word
    starts: Clock


class ShiftsValue(FactValue, frozen=True, kw_only=True):
    shifts: Annotated[tuple[Shift, ...], Meta(min_length=1, max_length=12)]


class Holiday(FactValue, frozen=True, kw_only=True):
    on: date
    name: Word


class HolidaysValue(FactValue, frozen=True, kw_only=True, omit_defaults=True):
    """Corrections of the public holidays: further days, and public holidays that are working days here. A new fact
    replaces the previous lists. Entries without `working_days` keep their bytes."""

    days: Annotated[tuple[Holiday, ...], Meta(max_length=400)]
    working_days: Annotated[tuple[Holiday, ...], Meta(max_length=400)] = ()


# --- Facts of a table -----------------------------------------------------------------------------------------------


class TableRulesValue(FactValue, frozen=True, kw_only=True):
    rules: Slug


class PayTableValue(FactValue, frozen=True, kw_only=True):
    pay_table: Word


class WagersOfferedValue(FactValue, frozen=True, kw_only=True):
    """Which optional wagers the table offers. Wagers that the rules do not call optional are always offered."""

    wagers: tuple[Slug, ...]


class PostedOddsValue(FactValue, frozen=True, kw_only=True):
    """The odds posted at the table, verbatim. A box that is not listed is paid at the odds of the rules."""

    odds: dict[str, Odds | tuple[Odds, ...]]
    wording: Annotated[str, Meta(max_length=500)] | None = None


class BetLimitsValue(FactValue, frozen=True, kw_only=True, omit_defaults=True):
    """Limits of one betting area. For a member that is left out, the table's own holds."""

    min: Cents | None = None
    max: Cents | None = None


class LimitsValue(FactValue, frozen=True, kw_only=True):
    """`multiples`: wagers must be multiples of the minimum. `unit`: stakes rise from the minimum in steps of this
    amount, as the sign states. `by_bet`: other limits for some betting areas; unset in a value without any, so that
    entries without them keep their bytes."""

    min: Cents
    max: Cents
    multiples: bool = False
    unit: Cents | None = None
    by_bet: dict[Bet, BetLimitsValue] | msgspec.UnsetType = msgspec.UNSET

    @property
    def limits_by_bet(self) -> Mapping[str, BetLimitsValue]:
        return {} if self.by_bet is msgspec.UNSET else self.by_bet

    def minimum_for(self, bet: str) -> int:
        own = self.limits_by_bet.get(bet)
        return own.min if own and own.min is not None else self.min

    def maximum_for(self, bet: str) -> int:
        own = self.limits_by_bet.get(bet)
        return own.max if own and own.max is not None else self.max

    def raises_minimum_of(self, before: "LimitsValue") -> bool:
        """Whether the minimum of any wager becomes higher."""
        bets = {*self.limits_by_bet, *before.limits_by_bet}
        return self.min > before.min or any(self.minimum_for(bet) > before.minimum_for(bet) for bet in bets)


class SmallestChipValue(FactValue, frozen=True, kw_only=True):
    """The smallest amount that the table's float can pay."""

    cents: Cents


class StreakAmountValue(FactValue, frozen=True, kw_only=True):
    """The exact amount of a Super Streak wager, as its sign states it."""

    cents: Cents


class EquipmentValue(FactValue, frozen=True, kw_only=True):
    layout: Word
    screen: Literal["none", "plasma", "lcd"]
    touch_screen: bool
    shaker: Literal["none", "manual", "automated"]


class DecksValue(FactValue, frozen=True, kw_only=True):
    decks: Annotated[int, Meta(ge=0, le=1000)]


class DiceInUseValue(FactValue, frozen=True, kw_only=True):
    """The set of dice at the table; None between one set and the next."""

    dice: Word | None


class ShakerInUseValue(FactValue, frozen=True, kw_only=True):
    shaker: Word | None
    type: ShakerType | None = None


# --- Facts of a terminal --------------------------------------------------------------------------------------------


class TerminalLayoutValue(FactValue, frozen=True, kw_only=True):
    layout: Word


V = TypeVar("V", bound=FactValue)


def read_value(kind: type[V], raw: Mapping[str, Any]) -> V:
    """Parses a value. Raises BadFact naming the wrong member."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        parts = WHERE.match(str(error))
        assert parts is not None
        raise BadFact(f"{parts['what']}.", field=parts["path"] or "") from error


def value_as_dict(value: FactValue) -> dict[str, Any]:
    """The value as stored in the row and in its ledger entry."""
    # Round trip through JSON, so that it equals what the database and the entry return: lists, not tuples.
    content: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return content


def parse_clock(text: str) -> time:
    return time.fromisoformat(text)
