"""Predicate: the closed set of conditions by which a pack defines when a wager wins. All given conditions must hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rounds.engine.bets.bet_codes import Bet
from rounds.engine.bets.dice_outcomes import FACES, OUTCOMES, Outcome, is_triple


@dataclass(frozen=True, slots=True)
class Predicate:
    """Conditions on three dice. "Wagered" means the numbers in the bet code, so one predicate covers a bet family."""

    total_in: tuple[int, ...] = ()
    total_is_wagered: bool = False
    parity: Literal["odd", "even"] | None = None
    is_triple: bool | None = None
    except_triples: tuple[int, ...] = ()
    wagered_number_on: tuple[int, ...] = ()
    wagered_numbers_shown: int | None = None
    every_die_is_wagered: bool = False
    is_the_wagered_roll: bool = False
    different_numbers: tuple[int, ...] = ()
    is_never: bool = False

    def holds(self, outcome: Outcome, bet: Bet) -> bool:
        return all(self._evaluate_conditions(outcome, bet))

    def _evaluate_conditions(self, outcome: Outcome, bet: Bet) -> Iterator[bool]:
        """Yields the truth of each condition that this predicate sets."""
        total, shown, wagered = sum(outcome), set(outcome), set(bet.numbers)
        if self.is_never:
            yield False
        if self.total_in:
            yield total in self.total_in
        if self.total_is_wagered:
            yield bet.numbers == (total,)
        if self.parity is not None:
            yield total % 2 == (self.parity == "odd")
        if self.is_triple is not None:
            yield is_triple(outcome) == self.is_triple
        if self.except_triples:
            yield not (is_triple(outcome) and outcome[0] in self.except_triples)
        if self.wagered_number_on:
            yield sum(face in wagered for face in outcome) in self.wagered_number_on
        if self.wagered_numbers_shown is not None:
            yield len(shown & wagered) == self.wagered_numbers_shown
        if self.every_die_is_wagered:
            yield shown <= wagered
        if self.is_the_wagered_roll:
            yield sorted(outcome) == sorted(bet.numbers)
        if self.different_numbers:
            yield len(shown) in self.different_numbers

    @property
    def depends_on_bet(self) -> bool:
        return bool(
            self.total_is_wagered
            or self.wagered_number_on
            or self.wagered_numbers_shown
            or self.every_die_is_wagered
            or self.is_the_wagered_roll
        )

    def invalid_conditions(self) -> Iterator[tuple[str, str, str]]:
        """Yields (condition, what was found, what was expected) for each condition outside its valid range."""
        if self == Predicate():
            yield "", "no condition", "at least one condition of the predicate vocabulary"
        if any(total not in range(3, 19) for total in self.total_in):
            yield "total_in", str(list(self.total_in)), "totals from 3 to 18"
        if any(face not in FACES for face in self.except_triples):
            yield "except_triples", str(list(self.except_triples)), "faces from 1 to 6"
        for name in ("wagered_number_on", "different_numbers"):
            counts = getattr(self, name)
            if any(count not in (1, 2, 3) for count in counts):
                yield name, str(list(counts)), "numbers of dice from 1 to 3"
        if self.wagered_numbers_shown not in (None, 1, 2, 3):
            yield "wagered_numbers_shown", str(self.wagered_numbers_shown), "a number from 1 to 3"


@lru_cache(maxsize=8192)
def truth_by_outcome(predicate: Predicate, bet: Bet) -> tuple[bool, ...]:
    """Whether the predicate holds, for each of the 216 outcomes in the order of OUTCOMES."""
    return tuple(predicate.holds(outcome, bet) for outcome in OUTCOMES)
