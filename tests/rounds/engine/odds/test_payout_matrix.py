"""The matrix equals settle_wager() for every version, pay table, reading choice, bet and outcome."""

import numpy as np
import pytest

from rounds.engine.bets.bet_codes import BET_CODES, BET_INDEX, BETS
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.odds.payout_matrix import build_payout_matrix, compute_returned_cents
from rounds.engine.pack.clause_readings import non_default_choices
from rounds.engine.pack.compiled_rules import compile_rules
from rounds.engine.settle.settle_wager import settle_wager
from rounds.engine.settle.settlement import Verdict, WagerQuestion
from tests.rounds.engine.cases import LICENSEE, NSW, PAY_TABLES, pack_of, rules_of

VARIANTS = [(slug, table, "", "") for slug, table in PAY_TABLES] + [
    (slug, table, reading, choice)
    for slug, table in PAY_TABLES
    for reading, choice in non_default_choices(pack_of(slug))
]


@pytest.mark.parametrize(("slug", "table", "reading", "choice"), VARIANTS)
def test_matrix_equals_settle_everywhere(slug: str, table: str, reading: str, choice: str) -> None:
    rules = compile_rules(pack_of(slug), table, {reading: choice} if reading else {})
    matrix = build_payout_matrix(rules)
    for code in BET_CODES:
        if BETS[code].is_streak:
            continue
        column = BET_INDEX[code]
        for row, outcome in enumerate(OUTCOMES):
            # With a stake of 20 cents, the winnings are whole cents at all odds of all packs.
            settled = settle_wager(rules, WagerQuestion(BETS[code], 20, outcome))
            if not matrix.settles_in_a_round[column]:
                assert settled.verdict is Verdict.UNAPPROVED
                continue
            won, below = int(matrix.numerator[row, column]), int(matrix.denominator[row, column])
            assert settled.verdict is (Verdict.WIN if won else Verdict.LOSE)
            assert (settled.winnings_cents or 0) * below == 20 * won


def test_streaks_are_not_for_the_matrix() -> None:
    matrix = build_payout_matrix(rules_of(NSW))
    assert not any(matrix.settles_in_a_round[BET_INDEX[code]] for code in BET_CODES if code.startswith("streak:"))


def test_a_column_of_wagers_is_judged_at_once() -> None:
    bets = np.array([BET_INDEX[code] for code in ("small", "big", "total:6", "single:1")])
    outcomes = np.array([OUTCOMES.index((1, 2, 3))] * 4)
    returned, left_over = compute_returned_cents(
        build_payout_matrix(rules_of(NSW)), outcomes, bets, np.array([100, 100, 50, 30])
    )
    assert returned.tolist() == [200, 0, 950, 60]
    assert left_over.tolist() == [0, 0, 0, 0]


def test_a_part_of_a_cent_is_left_over_not_rounded_away() -> None:
    bets, outcomes = np.array([BET_INDEX["single:1"]]), np.array([OUTCOMES.index((1, 2, 3))])
    _, left_over = compute_returned_cents(build_payout_matrix(rules_of(LICENSEE)), outcomes, bets, np.array([105]))
    assert left_over.tolist() == [5]


def test_bets_whose_odds_are_minimums_are_marked() -> None:
    assert build_payout_matrix(rules_of(LICENSEE)).has_minimum_odds[BET_INDEX["total:4"]]
    assert not build_payout_matrix(rules_of(NSW)).has_minimum_odds.any()
