"""Simulated dice sets, fair and loaded, through the tests and levels that real ones go through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from compliance.fairness.chance import Results, compare_results
from compliance.fairness.levels import FIRST_LOOK, share_out

SIX = 6
ENOUGH = 0.95


class Sort(Protocol):
    """What is tried: dice that are loaded in some way, or tables that hand back too much."""

    @property
    def slug(self) -> str: ...
    @property
    def words(self) -> str: ...
    @property
    def is_fair(self) -> bool: ...


@dataclass(frozen=True)
class Loading:
    """How likely a loaded die shows its six, and how many of the three dice are loaded. The other faces share the rest
    evenly."""

    slug: str
    words: str
    chance_of_six: float
    dice: int = 3

    @property
    def is_fair(self) -> bool:
        return self.chance_of_six == 1 / SIX

    def chances(self, die: int) -> list[float]:
        six = self.chance_of_six if die < self.dice else 1 / SIX
        return [(1 - six) / 5] * 5 + [six]


FAIR = Loading("fair", "Fair dice", 1 / SIX)
BY_A_TWENTIETH = Loading("by-a-twentieth", "A six 5 % more often than fair: 17.5 % instead of 16.7 %", 1 / SIX * 1.05)
BY_FIVE_POINTS = Loading("by-five-points", "A six 5 points more often: 21.7 % instead of 16.7 %", 1 / SIX + 0.05)
ONE_DIE = Loading("one-die", "The same 5 points, but on one of the three dice alone", 1 / SIX + 0.05, dice=1)
EVERY = (FAIR, BY_A_TWENTIETH, BY_FIVE_POINTS, ONE_DIE)


@dataclass(frozen=True)
class Tried:
    """After how many rounds each set or table was signalled; None for one that was not within `most`."""

    sort: Sort
    most: int
    signalled_at: Sequence[int | None]

    @property
    def signalled(self) -> int:
        return sum(at is not None for at in self.signalled_at)

    def within(self, part: float = ENOUGH) -> int | None:
        """The rounds within which that part of the sets was signalled; None if it never was."""
        found = sorted(at for at in self.signalled_at if at is not None)
        needed = int(np.ceil(part * len(self.signalled_at)))
        return found[needed - 1] if len(found) >= needed else None


def try_sets(loading: Loading, *, sets: int, most: int, seed: int) -> Tried:
    """All sets are looked at on the same days, which is the hardest case: each look's tests share one day's level."""
    signalled: list[int | None] = [None] * sets
    for size, played in _looks(loading, sets, most, np.random.default_rng(seed)):
        tests = [[one.p_value for one in compare_results(outcomes)] for outcomes in played]
        judged = iter(share_out([value for each in tests for value in each]))
        for place, each in enumerate(tests):
            are_below = [next(judged)[1] for _ in each]
            if any(are_below) and signalled[place] is None:
                signalled[place] = size
    return Tried(loading, most, signalled)


def _looks(
    loading: Loading, sets: int, most: int, rng: np.random.Generator
) -> Iterator[tuple[int, list[Results]]]:  # fmt: skip
    played: list[Results] = [np.zeros(0, np.int64)] * sets
    size = FIRST_LOOK
    while size <= most:
        played = [np.concatenate([each, throw(loading, size - len(each), rng)]) for each in played]
        yield size, played
        size *= 2


def throw(loading: Loading, rounds: int, rng: np.random.Generator) -> Results:
    faces = [rng.choice(SIX, rounds, p=loading.chances(die)) for die in range(3)]
    return np.asarray(faces[0] * 36 + faces[1] * 6 + faces[2], np.int64)
