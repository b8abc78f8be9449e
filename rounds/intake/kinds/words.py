"""The words that bodies are made of: instants, amounts, faces, names, people of the house. All of them strict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from rounds.engine.bets import BET_CODES

# A billion dollars on one box is a mistake of the sender's, not a wager.
MOST_CENTS = 100_000_000_000
MOST_RETURNED_CENTS = 1_000 * MOST_CENTS
MOST_TEXT = 500


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A part of what a controller says. A member nobody knows is refused, so that a misspelt one is seen."""


# Patterns end in $(?!\n) because Python's $ alone would let a newline follow.
Instant: TypeAlias = Annotated[datetime, Meta(tz=True, description="RFC 3339, with its zone.")]
# What a sign says will come. A table may announce next week; when something happened, nobody knows ahead.
Announced: TypeAlias = Annotated[
    datetime, Meta(tz=True, description="RFC 3339, with its zone. May lie ahead.", extra={"announced": True})
]
NAME, NAME_WORDS = r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", "1 to 64 letters, figures, dots, colons, hyphens or low lines."
NAME_PATTERN = rf"^{NAME}$(?!\n)"
Name: TypeAlias = Annotated[str, Meta(pattern=NAME_PATTERN, description=NAME_WORDS)]
# A name that is one of many: whoever has all of them looks at them at once, by `are_names`. A look at each takes as
# long as reading the rest of a round.
NameAmongMany: TypeAlias = Annotated[
    str, Meta(description=NAME_WORDS, extra_json_schema={"type": "string", "pattern": NAME_PATTERN})
]
NAMES = re.compile(rf"{NAME}(?:\n{NAME})*")
Slug: TypeAlias = Annotated[
    str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,49}$(?!\n)", description="Small letters, figures and hyphens.")
]
Pseudonym: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9-]{0,39}$(?!\n)",
        description="A pseudonym that lasts one gaming day. Never a name, never a card number.",
    ),
]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MOST_TEXT)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=500)]
Stake: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_CENTS, description="Cents.")]
Cents: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_RETURNED_CENTS, description="Cents.")]
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
"""In the product's words; each rule pack says which of its document's people they are."""


def are_names(texts: Sequence[str]) -> bool:
    """Whether each of them is a `Name`. None has a newline in it, so there are no more than those between them."""
    joined = "\n".join(texts)
    return not texts or (NAMES.fullmatch(joined) is not None and joined.count("\n") == len(texts) - 1)


class Staff(Body, frozen=True, kw_only=True):
    """Who did something: the position held, and the house's own staff number, never a name."""

    position: Position
    number: Name | None = None


class Told(Body, frozen=True, kw_only=True):
    """Somebody who had to be told, and when they were."""

    position: Position
    at: Instant


class Limits(Body, frozen=True, kw_only=True):
    """What a sign states, in cents. `multiples`: wagers must be multiples of the minimum. `unit`: the smallest step
    above the minimum. `payable_unit`: the smallest amount the table's float can pay."""

    min: Stake
    max: Stake
    multiples: bool = False
    unit: Stake | None = None
    payable_unit: Stake | None = None


class PlayerLimits(Body, frozen=True, kw_only=True):
    """A sign for one player alone."""

    min: Stake
    max: Stake
    player: Pseudonym | None = None
    seat: Seat | None = None
