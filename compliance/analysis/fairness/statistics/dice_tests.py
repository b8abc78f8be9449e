"""Statistical tests of dice results against fair dice: faces, positions, totals, triples, sequence and runs.

The positions test needs dice in the order they lie. A controller that sorts them loses that order; the other tests do
not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import factorial, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rounds.engine import OUTCOMES, bets

Results = NDArray[np.int64]

FACES_TEST: Final = "faces"
POSITIONS_TEST: Final = "positions"
TOTALS_TEST: Final = "totals"
TRIPLES_TEST: Final = "triples"
SEQUENCE_TEST: Final = "next"
RUNS_TEST: Final = "runs"
RETURN_TEST: Final = "return"
# What each test looks at, worded to fit into sentences.
TEST_LABELS = {
    FACES_TEST: "how often each face showed",
    POSITIONS_TEST: "whether the three places show the same faces",
    TOTALS_TEST: "how often each total came",
    TRIPLES_TEST: "how often all three dice agreed",
    SEQUENCE_TEST: "which total follows which",
    RUNS_TEST: "how often low and high totals take turns",
    RETURN_TEST: "what players got back against the exact average",
}
# A chi-square cell below this is unreliable. The fewest rounds of a test are far above it.
MIN_EXPECTED = 5
# Totals expected less often are merged with their neighbours: at our small significance levels, five are too few.
MIN_EXPECTED_PER_TOTAL = 20
HIGHEST_LOW_TOTAL = 10
# Bounds in charts: about one in a hundred figures of fair play is outside.
BOUND_DEVIATIONS = 2.576

_ROLLS = np.array(OUTCOMES)
_TOTALS = _ROLLS.sum(axis=1)
_ARE_SORTED = (np.diff(_ROLLS, axis=1) >= 0).all(axis=1)
_ARE_TRIPLES = np.ptp(_ROLLS, axis=1) == 0
_CHANCE_OF_TOTAL = np.bincount(_TOTALS) / len(OUTCOMES)
# Low, middle and high: 81, 54 and 81 of the 216.
_THIRD_OF_OUTCOME = np.digitize(_TOTALS, [10, 12])
THIRD_LABELS = ("3 to 9", "10 or 11", "12 to 18")


def _scipy_stats() -> Any:
    """Imported late, because scipy would double the start-up time of every process."""
    from scipy import stats

    return stats


@dataclass(frozen=True)
class ChartBar:
    """One bar of the chart: the count, its expectation, and the bounds for this figure alone."""

    label: str
    counted: int
    expected: float
    lower: float
    upper: float

    def to_json(self) -> list[Any]:
        """Floats as text, because ledger entries contain none."""
        return [self.label, self.counted, *(f"{value:.2f}" for value in (self.expected, self.lower, self.upper))]


@dataclass(frozen=True)
class DiceTestResult:
    """The result of one test. `degrees` is 0 for an exact test."""

    test: str
    rounds: int
    statistic: float
    degrees: int
    p_value: float
    method: str
    cells: tuple[ChartBar, ...]


def compare_results(outcomes: Results) -> list[DiceTestResult]:
    """Every test that applies to these results, which are in the order of play."""
    every = [
        _test_faces(outcomes),
        _test_totals(outcomes),
        _test_triples(outcomes),
        _test_sequence(outcomes),
        _test_runs(outcomes),
    ]
    return [*every, _test_positions(outcomes)] if are_dice_positions_reported(outcomes) else every


def are_dice_positions_reported(outcomes: Results) -> bool:
    """Whether dice are reported as they lie. If every result is sorted, the controller sorts them."""
    return not bool(np.take(_ARE_SORTED, outcomes).all())


def face_counts(outcomes: Results) -> Results:
    return np.bincount(_ROLLS[outcomes].ravel(), minlength=len(bets.FACES) + 1)[1:]


def _test_faces(outcomes: Results) -> DiceTestResult:
    counted, count = face_counts(outcomes), 3 * len(outcomes)
    cells = _build_result_cells(map(str, bets.FACES), counted, count, [1 / 6] * 6)
    if count < MIN_EXPECTED * len(bets.FACES):
        squares = int((counted**2).sum())
        return DiceTestResult(
            FACES_TEST, len(outcomes), squares, 0, float(exact_faces_p_value(count, squares)), "exact", cells
        )
    found = _scipy_stats().chisquare(counted)
    return DiceTestResult(
        FACES_TEST, len(outcomes), float(found.statistic), 5, float(found.pvalue), "chi-square", cells
    )


def exact_faces_p_value(count: int, squares: int) -> Fraction:
    """Exact probability that the sum of squared counts is this large or larger. Counts that differ only in the order of
    faces are computed once."""
    ways = sum(
        _count_arrangements(parts)
        for parts in _face_count_partitions(count, len(bets.FACES), count)
        if sum(n * n for n in parts) >= squares
    )
    return Fraction(ways, len(bets.FACES) ** count)


def _face_count_partitions(count: int, kinds: int, most: int) -> Iterator[tuple[int, ...]]:
    """Partitions of `count` into `kinds` non-increasing parts."""
    if kinds == 0:
        if count == 0:
            yield ()
        return
    for first in range(min(count, most), -(-count // kinds) - 1, -1):
        for rest in _face_count_partitions(count - first, kinds - 1, first):
            yield first, *rest


def _count_arrangements(parts: Sequence[int]) -> int:
    rolls = factorial(sum(parts))
    for part in parts:
        rolls //= factorial(part)
    faces = factorial(len(parts))
    for part in set(parts):
        faces //= factorial(parts.count(part))
    return rolls * faces


def _test_positions(outcomes: Results) -> DiceTestResult:
    """Whether all three positions show the same distribution of faces, whatever it is."""
    counted = np.stack([np.bincount(place, minlength=7)[1:] for place in _ROLLS[outcomes].T])
    names = [f"{place}: {face}" for place in ("first", "second", "third") for face in bets.FACES]
    return _contingency_test(POSITIONS_TEST, len(outcomes), counted, names)


def _contingency_test(test: str, rounds: int, counted: Results, names: Iterable[str]) -> DiceTestResult:
    rows, columns = (counted.sum(axis=1) > 0), (counted.sum(axis=0) > 0)
    table = counted[rows][:, columns]
    if min(table.shape) < 2:
        # Only one value occurred: nothing to compare. Other tests report that.
        return DiceTestResult(test, rounds, 0.0, 0, 1.0, "chi-square", ())
    found = _scipy_stats().chi2_contingency(table, correction=False)
    expected = np.outer(counted.sum(axis=1), counted.sum(axis=0)) / counted.sum()
    chances = (expected / counted.sum()).ravel().tolist()
    cells = _build_result_cells(names, counted.ravel(), int(counted.sum()), chances)
    return DiceTestResult(
        test, rounds, float(found.statistic), int(found.dof), float(found.pvalue), "chi-square", cells
    )


def _test_totals(outcomes: Results) -> DiceTestResult:
    counted = np.bincount(_TOTALS[outcomes], minlength=19)
    groups = _group_totals(len(outcomes))
    together = np.array([counted[list(group)].sum() for group in groups])
    chances = [float(_CHANCE_OF_TOTAL[list(group)].sum()) for group in groups]
    names = [str(group[0]) if len(group) == 1 else f"{group[0]}–{group[-1]}" for group in groups]
    found = _scipy_stats().chisquare(together, np.array(chances) * len(outcomes))
    cells = _build_result_cells(names, together, len(outcomes), chances)
    degrees = len(groups) - 1
    return DiceTestResult(
        TOTALS_TEST, len(outcomes), float(found.statistic), degrees, float(found.pvalue), "chi-square", cells
    )


@cache
def _group_totals(rounds: int) -> tuple[tuple[int, ...], ...]:
    """Groups totals from both ends towards the middle until each group is expected often enough."""
    low: list[tuple[int, ...]] = []
    group: tuple[int, ...] = ()
    for total in range(3, HIGHEST_LOW_TOTAL + 1):
        group = (*group, total)
        if rounds * _CHANCE_OF_TOTAL[list(group)].sum() >= MIN_EXPECTED_PER_TOTAL:
            low.append(group)
            group = ()
    if group:
        low = [*low[:-1], (*low[-1], *group)] if low else [group]
    return (*low, *(tuple(21 - total for total in reversed(each)) for each in reversed(low)))


def _test_triples(outcomes: Results) -> DiceTestResult:
    count = int(_ARE_TRIPLES[outcomes].sum())
    return _binomial_test(TRIPLES_TEST, len(outcomes), count, len(outcomes), 1 / 36, ("Triples", "Other rounds"))


def _test_runs(outcomes: Results) -> DiceTestResult:
    """An exact runs test: low and high are equally likely, so each round after the first changes over with probability
    one half."""
    are_high = _TOTALS[outcomes] > HIGHEST_LOW_TOTAL
    changes = int((are_high[1:] != are_high[:-1]).sum())
    return _binomial_test(RUNS_TEST, len(outcomes), changes, len(outcomes) - 1, 1 / 2, ("Changed over", "Stayed"))


def _binomial_test(
    test: str, rounds: int, count: int, among: int, chance: float, names: tuple[str, str]
) -> DiceTestResult:
    found = _scipy_stats().binomtest(count, among, chance)
    cells = _build_result_cells(names, [count, among - count], among, [chance, 1 - chance])
    return DiceTestResult(test, rounds, float(count), 0, float(found.pvalue), "exact binomial", cells)


def _test_sequence(outcomes: Results) -> DiceTestResult:
    """Each result against the next, in three groups of totals."""
    thirds = _THIRD_OF_OUTCOME[outcomes]
    counted = np.bincount(thirds[:-1] * 3 + thirds[1:], minlength=9).reshape(3, 3)
    names = [f"{before}, then {after}" for before in THIRD_LABELS for after in THIRD_LABELS]
    return _contingency_test(SEQUENCE_TEST, len(outcomes), counted, names)


def _build_result_cells(
    names: Iterable[str], counted: Sequence[int] | Results, among: int, chances: Sequence[float]
) -> tuple[ChartBar, ...]:
    found = []
    for name, count, chance in zip(names, counted, chances, strict=True):
        expected, spread = among * chance, BOUND_DEVIATIONS * sqrt(among * chance * (1 - chance))
        found.append(ChartBar(name, int(count), expected, max(expected - spread, 0.0), expected + spread))
    return tuple(found)
