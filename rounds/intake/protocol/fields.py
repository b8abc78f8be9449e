"""Field types that the line bodies share: times, amounts, faces, names, staff. All are strictly validated."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from rounds.engine import BET_CODES

# A billion dollars on one box is an error of the sender, not a wager.
MAX_STAKE_CENTS = 100_000_000_000
MAX_RETURNED_CENTS = 1_000 * MAX_STAKE_CENTS
MAX_TEXT_LENGTH = 500


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A part of what a controller says. A member nobody knows is refused, so that a misspelt one is seen."""


# Patterns end in $(?!\n) because Python's $ alone would let a newline follow.
Instant: TypeAlias = Annotated[datetime, Meta(tz=True, description="RFC 3339, with its zone.")]
# A future time announced on a sign. It is exempt from the check in timestamps.py that no time is in the future.
Announced: TypeAlias = Annotated[
    datetime, Meta(tz=True, description="RFC 3339, with its zone. May lie ahead.", extra={"announced": True})
]
NAME, NAME_WORDS = r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", "1 to 64 letters, figures, dots, colons, hyphens or low lines."
SLUG, SLUG_WORDS = r"[a-z0-9][a-z0-9-]{0,49}", "Small letters, figures and hyphens."
PSEUDONYM = r"[a-z][a-z0-9-]{0,39}"
PSEUDONYM_WORDS = "A pseudonym that lasts one gaming day. Never a name, never a card number."


def anchored_pattern(pattern: str) -> str:
    return rf"^{pattern}$(?!\n)"


Name: TypeAlias = Annotated[str, Meta(pattern=anchored_pattern(NAME), description=NAME_WORDS)]
Slug: TypeAlias = Annotated[str, Meta(pattern=anchored_pattern(SLUG), description=SLUG_WORDS)]
Pseudonym: TypeAlias = Annotated[str, Meta(pattern=anchored_pattern(PSEUDONYM), description=PSEUDONYM_WORDS)]
# The same without validation, for fields of wagers: Round.__post_init__ matches the names of all wagers at once,
# because matching one by one takes longer than parsing the rest of the line.
NameAmongMany: TypeAlias = Annotated[
    str, Meta(description=NAME_WORDS, extra_json_schema={"pattern": anchored_pattern(NAME)})
]
SlugAmongMany: TypeAlias = Annotated[
    str, Meta(description=SLUG_WORDS, extra_json_schema={"pattern": anchored_pattern(SLUG)})
]
PseudonymAmongMany: TypeAlias = Annotated[
    str, Meta(description=PSEUDONYM_WORDS, extra_json_schema={"pattern": anchored_pattern(PSEUDONYM)})
]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT_LENGTH)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=500)]
Stake: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_STAKE_CENTS, description="Cents.")]
Cents: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_RETURNED_CENTS, description="Cents.")]
Face: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Faces: TypeAlias = Annotated[
    tuple[Face, Face, Face], Meta(description="Three faces, each from 1 to 6, in the order given.")
]
OddsText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, description="As it is written there.")]
# Not a tuple of exactly three: msgspec 0.22 crashes on a union of that with a text that has limits.
OddsLevels: TypeAlias = Annotated[
    tuple[OddsText, ...],
    Meta(min_length=3, max_length=3, description="For a single number: on one die, on two, on three."),
]

if TYPE_CHECKING:
    BetCode: TypeAlias = str
else:
    BetCode = Literal[BET_CODES]

Position: TypeAlias = Literal[
    "dealer",
    "games-supervisor",
    "casino-supervisor",
    "shift-manager",
    "inspector",
    "authority-officer",
]
"""Positions of staff in the product's terms. Each rule pack maps its document's words for people to them."""


class Staff(Body, frozen=True, kw_only=True):
    """Who did something: the position held, and the house's own staff number, never a name."""

    position: Position
    number: Name | None = None


class Told(Body, frozen=True, kw_only=True):
    """Somebody who had to be told, and when they were."""

    position: Position
    at: Instant


class BetLimits(Body, frozen=True, kw_only=True):
    """Limits of one betting area, in cents. For a member that is left out, the table's own holds."""

    min: Stake | None = None
    max: Stake | None = None


class Limits(Body, frozen=True, kw_only=True):
    """What a sign states, in cents. `multiples`: wagers must be multiples of the minimum. `unit`: the smallest step
    above the minimum. `payable_unit`: the smallest amount the table's float can pay. `by_bet`: other limits for some
    betting areas, where the sign states them by type of wager."""

    min: Stake
    max: Stake
    multiples: bool = False
    unit: Stake | None = None
    payable_unit: Stake | None = None
    by_bet: dict[BetCode, BetLimits] = msgspec.field(default_factory=dict)

    def for_bet(self, bet: str) -> Limits:
        """The limits that hold on one betting area."""
        own = self.by_bet.get(bet)
        if own is None:
            return self
        return msgspec.structs.replace(self, min=own.min or self.min, max=own.max or self.max, by_bet={})


class PlayerLimits(Body, frozen=True, kw_only=True):
    """A sign for one player alone."""

    min: Stake
    max: Stake
    player: Pseudonym | None = None
    seat: Seat | None = None
