"""The closed set of bet codes, in the canonical order that truth tables, matrices and encoded rounds share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

from rounds.engine.bets.dice_outcomes import FACES
from rounds.engine.errors import EngineError, ErrorCode

STREAK_PAIRS = {"small-big": ("small", "big"), "odd-even": ("odd", "even")}


@dataclass(frozen=True, slots=True)
class Bet:
    """One parsed bet code. `numbers` are those the player chose, `side` is a streak's direction or pair."""

    code: str
    family: str
    numbers: tuple[int, ...] = ()
    side: str = ""

    @property
    def is_streak(self) -> bool:
        return self.family == "streak"

    @property
    def streak_pair(self) -> str:
        """The pair of directions of this streak wager: `small-big` or `odd-even`."""
        return next(pair for pair, sides in STREAK_PAIRS.items() if self.side == pair or self.side in sides)


def _bets_on_numbers(family: str, choices: list[tuple[int, ...]]) -> list[Bet]:
    return [Bet(f"{family}:{'-'.join(map(str, numbers))}", family, numbers) for numbers in choices]


def _all_bets() -> list[Bet]:
    ones = [(face,) for face in FACES]
    return [
        *(Bet(name, name) for name in ("small", "big", "odd", "even", "field")),
        Bet("triple:any", "triple", side="any"),
        *_bets_on_numbers("triple", [*ones]),
        *_bets_on_numbers("double", [*ones]),
        *_bets_on_numbers("total", [(total,) for total in range(3, 19)]),
        *_bets_on_numbers("pair", list(combinations(FACES, 2))),
        *_bets_on_numbers("single", [*ones]),
        *_bets_on_numbers("four", list(combinations(FACES, 4))),
        *_bets_on_numbers("three", list(combinations(FACES, 3))),
        *_bets_on_numbers("double-single", [(double, double, other) for double, other in permutations(FACES, 2)]),
        *(Bet(f"streak:{side}", "streak", side=side) for side in ("small", "big", "odd", "even", *STREAK_PAIRS)),
    ]


BETS: dict[str, Bet] = {bet.code: bet for bet in _all_bets()}
BET_CODES: tuple[str, ...] = tuple(BETS)
BET_INDEX: dict[str, int] = {code: index for index, code in enumerate(BET_CODES)}


def parse_bet(raw: object) -> Bet:
    """The bet with this code. Any other value is refused; the message suggests the canonical spelling if one exists."""
    if isinstance(raw, str):
        bet = BETS.get(raw)
        if bet is not None:
            return bet
    hint = _canonical_spelling(raw)
    expected = f"write it {hint}" if hint else "it is not in the closed set of bet codes"
    raise EngineError(ErrorCode.UNKNOWN_BET, f"{repr(raw)[:60]} is not a bet: {expected}")


def _canonical_spelling(raw: object) -> str:
    """`pair:2-1` is written `pair:1-2`; a double comes first in `double-single:2-2-1`."""
    if not isinstance(raw, str) or len(raw) > 40:
        return ""
    family, _, numbers = raw.strip().lower().partition(":")
    wanted = sorted(numbers.split("-"))
    return next((b.code for b in BETS.values() if b.family == family and sorted(map(str, b.numbers)) == wanted), "")
