"""Tests of dice results: figures computed by hand or enumeration, and their behaviour on simulated dice."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from compliance.analysis.fairness.simulation.loaded_dice import (
    FAIR_DICE,
    LOADED_BY_FIVE_POINTS,
    LOADED_BY_TWENTIETH,
    simulate_dice_sets,
)
from compliance.analysis.fairness.statistics.dice_tests import (
    FACES_TEST,
    POSITIONS_TEST,
    RUNS_TEST,
    SEQUENCE_TEST,
    TOTALS_TEST,
    TRIPLES_TEST,
    DiceTestResult,
    Results,
    are_dice_positions_reported,
    compare_results,
    exact_faces_p_value,
)
from compliance.analysis.fairness.statistics.significance import (
    LEVEL_PER_DAY,
    LEVEL_PER_YEAR,
    RESERVED_SHARE,
    holm_levels,
    rounds_due,
)
from rounds.engine.bets.dice_outcomes import OUTCOMES, outcome_index


def of(test: str, outcomes: Results) -> DiceTestResult:
    [found] = [each for each in compare_results(outcomes) if each.test == test]
    return found


def rolls(*faces: tuple[int, int, int]) -> Results:
    return np.array([outcome_index(each) for each in faces])


EVERY_ROLL = np.arange(216)


def test_faces_by_hand() -> None:
    """Every roll once, and 54 more of sixes alone: 108 of each face and 162 more sixes among 810, so 135 expected."""
    found = of(FACES_TEST, np.concatenate([EVERY_ROLL, np.full(54, 215)]))
    assert [cell.counted for cell in found.cells] == [108] * 5 + [270]
    assert found.statistic == pytest.approx((5 * 27**2 + 135**2) / 135)
    assert (found.degrees, found.method) == (5, "chi-square")
    assert found.p_value == pytest.approx(stats.chi2.sf(found.statistic, 5))


def test_few_faces_are_tested_exactly() -> None:
    """Two rounds: six faces. Against all 6**6 ways, counted one by one."""
    found = of(FACES_TEST, rolls((1, 1, 1), (1, 2, 3)))
    squares = 4**2 + 1 + 1
    ways = sum(sum(roll.count(face) ** 2 for face in range(6)) >= squares for roll in product(range(6), repeat=6))
    assert (found.method, found.statistic) == ("exact", squares)
    assert found.p_value == pytest.approx(ways / 6**6)
    assert exact_faces_p_value(6, 6) == 1
    assert exact_faces_p_value(29, 29**2) == Fraction(6, 6**29)


def test_all_totals_as_chance_gives_them() -> None:
    found = of(TOTALS_TEST, np.tile(EVERY_ROLL, 20))
    assert found.statistic == pytest.approx(0)
    assert (found.degrees, [cell.label for cell in found.cells][:2]) == (15, ["3", "4"])
    assert [cell.counted for cell in found.cells][:3] == [20, 60, 120]


def test_rare_totals_are_counted_together() -> None:
    found = of(TOTALS_TEST, EVERY_ROLL)
    assert [cell.label for cell in found.cells] == ["3–6", "7–8", "9", "10", "11", "12", "13–14", "15–18"]
    assert sum(cell.counted for cell in found.cells) == 216
    assert min(cell.expected for cell in found.cells) >= 20


def test_triples_exactly() -> None:
    found = of(TRIPLES_TEST, np.concatenate([EVERY_ROLL, np.full(10, outcome_index((4, 4, 4)))]))
    assert found.cells[0].counted == 16
    chances = [stats.binom.pmf(count, 226, 1 / 36) for count in range(227)]
    assert found.p_value == pytest.approx(sum(each for each in chances if each <= chances[16] * (1 + 1e-7)))


def test_low_and_high_that_take_turns() -> None:
    found = of(RUNS_TEST, rolls(*[(1, 1, 1), (6, 6, 6)] * 10))
    assert (found.cells[0].counted, found.cells[0].expected) == (19, 9.5)
    assert found.p_value == pytest.approx(2 / 2**19)


def test_what_follows_what() -> None:
    """Low, middle and high in turn: each is always followed by the same one."""
    found = of(SEQUENCE_TEST, rolls(*[(1, 2, 3), (3, 3, 4), (6, 5, 4)] * 30))
    assert (found.degrees, found.p_value < 1e-30) == (4, True)
    assert found.cells[1].label == "3 to 9, then 10 or 11"
    assert found.cells[1].counted == 30


def test_sorted_dice_have_no_places() -> None:
    as_they_lie = np.random.default_rng(3).integers(0, 216, 300)
    in_order = rolls(*(tuple(sorted(OUTCOMES[each])) for each in as_they_lie))
    assert are_dice_positions_reported(as_they_lie)
    assert not are_dice_positions_reported(in_order)
    told = {each.test: each.p_value for each in compare_results(as_they_lie)}
    assert set(told) - {each.test for each in compare_results(in_order)} == {POSITIONS_TEST}
    assert {each.test: each.p_value for each in compare_results(in_order)} == {
        test: value for test, value in told.items() if test != POSITIONS_TEST
    }


def test_a_die_that_lies_in_one_place_and_is_loaded() -> None:
    """The first die shows more often what the other two show less often: faces are even in all, positions are not."""
    found = rolls(*[(1, 2, 3), (1, 4, 5), (1, 6, 2), (2, 3, 4), (1, 5, 6), (1, 3, 2)] * 40)
    assert of(POSITIONS_TEST, found).p_value < 1e-20
    assert of(POSITIONS_TEST, np.tile(EVERY_ROLL, 2)).p_value == pytest.approx(1)


def test_always_the_same_result_is_no_reason_to_fail() -> None:
    found = {each.test: each.p_value for each in compare_results(np.full(200, 215))}
    assert found[SEQUENCE_TEST] == 1
    assert found[FACES_TEST] < 1e-100


def test_how_far_out_chi_square_says_too_little_is_held_in_reserve() -> None:
    """The exact probability of the statistic at the fewest rounds and at a day's level: within RESERVED_SHARE.

    Faces are Poisson counts conditioned on a sum of 600: all six together, by deviation and square.
    """
    assert 1 <= exact_tail(600, 35) / stats.chi2.sf(35, 5) < 1.2 < 1 / RESERVED_SHARE


def exact_tail(faces: int, statistic: int) -> float:
    each, most = faces // 6, statistic * (faces // 6)
    wide = int(sqrt(6 * most)) + 2
    chances = np.zeros((2 * wide + 1, most))
    chances[wide, 0] = 1
    for _ in range(6):
        after = np.zeros_like(chances)
        for by in range(-int(sqrt(most - 1)), int(sqrt(most - 1)) + 1):
            chance, square = stats.poisson.pmf(each + by, each), by * by
            moved = chance * np.roll(chances, by, axis=0)
            after[:, square:] += moved[:, : most - square]
        chances = after
    return float(1 - chances[wide].sum() / stats.poisson.pmf(faces, faces))


# --- Levels ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounds", "looked_at", "due"),
    [(199, 0, 0), (200, 0, 200), (799, 400, 0), (399, 200, 0), (400, 200, 400), (1_700, 200, 1_600), (1_600, 1_600, 0)],
)
def test_a_look_is_due_when_rounds_have_doubled(rounds: int, looked_at: int, due: int) -> None:
    assert rounds_due(rounds, looked_at) == due


def test_tests_of_a_day_share_its_level() -> None:
    level = Fraction(1, 100)
    assert holm_levels([0.5, 0.0033, 0.02], level) == [
        (level, False),
        (level / 3, True),
        (level / 2, False),
    ]
    # After the first that is not below its level none is, although the last would be by itself.
    assert [below for _, below in holm_levels([0.006, 0.007], level)] == [False, False]
    assert holm_levels([], level) == []


def test_a_year_of_days_uses_no_more_than_the_years_level() -> None:
    assert LEVEL_PER_DAY * 366 <= LEVEL_PER_YEAR * RESERVED_SHARE


def test_fair_dice_fall_below_a_level_as_often_as_it_says() -> None:
    """With a level of one in ten, which can be counted: a hundred days of four sets each. Ten days may have a signal;
    more than 22 would be one chance in ten thousand."""
    rng, days = np.random.default_rng(11), 0
    for _ in range(100):
        p_values = [each.p_value for _ in range(4) for each in compare_results(rng.integers(0, 216, 200))]
        days += any(below for _, below in holm_levels(p_values, Fraction(1, 10)))
    assert 2 <= days <= 22


# --- Loaded dice ----------------------------------------------------------------------------------------------------


def test_dice_loaded_by_five_points_are_signalled_within_1600_rounds() -> None:
    tried = simulate_dice_sets(LOADED_BY_FIVE_POINTS, sets=200, most=1_600, seed=5)
    assert tried.rounds_until_signalled() == 1_600
    assert tried.signalled_count >= 190


def test_fair_dice_are_not_signalled() -> None:
    assert simulate_dice_sets(FAIR_DICE, sets=200, most=1_600, seed=5).signalled_count == 0


def test_dice_loaded_by_a_twentieth_need_51200_rounds() -> None:
    """Of sixteen sets here; of two hundred in `manage.py fairness_trial`."""
    tried = simulate_dice_sets(LOADED_BY_TWENTIETH, sets=16, most=51_200, seed=5)
    assert tried.rounds_until_signalled() in (25_600, 51_200)
    assert simulate_dice_sets(LOADED_BY_TWENTIETH, sets=16, most=1_600, seed=5).signalled_count == 0
