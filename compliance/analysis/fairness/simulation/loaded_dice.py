"""Simulates fair and loaded dice sets, with the tests and levels that real ones go through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from compliance.analysis.fairness.statistics.dice_tests import Results, compare_results
from compliance.analysis.fairness.statistics.significance import FIRST_TEST_ROUNDS, holm_levels

SIX = 6
ENOUGH = 0.95


class TrialCase(Protocol):
    """A case of the trial: a loading of dice, or a payout leak."""

    @property
    def slug(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def is_fair(self) -> bool: ...


@dataclass(frozen=True)
class DiceLoading:
    """How likely a loaded die shows a six, and how many of the three dice are loaded. The other faces are equally
    likely."""

    slug: str
    label: str
    chance_of_six: float
    dice: int = 3

    @property
    def is_fair(self) -> bool:
        return self.chance_of_six == 1 / SIX

    def face_chances(self, die: int) -> list[float]:
        six = self.chance_of_six if die < self.dice else 1 / SIX
        return [(1 - six) / 5] * 5 + [six]


FAIR_DICE = DiceLoading("fair", "Fair dice", 1 / SIX)
LOADED_BY_TWENTIETH = DiceLoading(
    "by-a-twentieth", "A six 5 % more often than fair: 17.5 % instead of 16.7 %", 1 / SIX * 1.05
)
LOADED_BY_FIVE_POINTS = DiceLoading(
    "by-five-points", "A six 5 points more often: 21.7 % instead of 16.7 %", 1 / SIX + 0.05
)
ONE_LOADED_DIE = DiceLoading("one-die", "The same 5 points, but on one of the three dice alone", 1 / SIX + 0.05, dice=1)
ALL_LOADINGS = (FAIR_DICE, LOADED_BY_TWENTIETH, LOADED_BY_FIVE_POINTS, ONE_LOADED_DIE)


@dataclass(frozen=True)
class TrialResult:
    """After how many rounds each set or table was signalled; None where it was not within `max_rounds`."""

    case: TrialCase
    max_rounds: int
    signalled_at: Sequence[int | None]

    @property
    def signalled_count(self) -> int:
        return sum(at is not None for at in self.signalled_at)

    def rounds_until_signalled(self, part: float = ENOUGH) -> int | None:
        """The rounds within which that share of the sets was signalled; None if it never was."""
        found = sorted(at for at in self.signalled_at if at is not None)
        needed = int(np.ceil(part * len(self.signalled_at)))
        return found[needed - 1] if len(found) >= needed else None


def simulate_dice_sets(loading: DiceLoading, *, sets: int, most: int, seed: int) -> TrialResult:
    """All sets are tested on the same days. This is the hardest case, because all tests of a day share one level."""
    signalled: list[int | None] = [None] * sets
    for size, played in _simulate_tests(loading, sets, most, np.random.default_rng(seed)):
        tests = [[one.p_value for one in compare_results(outcomes)] for outcomes in played]
        levels = iter(holm_levels([value for each in tests for value in each]))
        for place, each in enumerate(tests):
            are_below = [next(levels)[1] for _ in each]
            if any(are_below) and signalled[place] is None:
                signalled[place] = size
    return TrialResult(loading, most, signalled)


def _simulate_tests(
    loading: DiceLoading, sets: int, most: int, rng: np.random.Generator
) -> Iterator[tuple[int, list[Results]]]:
    played: list[Results] = [np.zeros(0, np.int64)] * sets
    size = FIRST_TEST_ROUNDS
    while size <= most:
        played = [np.concatenate([each, throw_dice(loading, size - len(each), rng)]) for each in played]
        yield size, played
        size *= 2


def throw_dice(loading: DiceLoading, rounds: int, rng: np.random.Generator) -> Results:
    faces = [rng.choice(SIX, rounds, p=loading.face_chances(die)) for die in range(3)]
    return np.asarray(faces[0] * 36 + faces[1] * 6 + faces[2], np.int64)
