"""Money returned against the exact average: figures by hand, and a betting score that fair play does not raise."""

from datetime import timedelta
from fractions import Fraction
from math import exp, log

import numpy as np
import pytest

from compliance.analysis.fairness.examination.daily_examination import examine_day
from compliance.analysis.fairness.examination.daily_returns import run_return_test, total_drift
from compliance.analysis.fairness.models import DailyReturn, Signal
from compliance.analysis.fairness.statistics.payout_drift import (
    BET_SCALES,
    CARDS,
    CARDS_UNKNOWN,
    DICE,
    SINGLE_ROUND,
    STREAK,
    log_betting_score,
    p_value,
)
from compliance.audit.models import DailyTotals
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.odds.house_edges import house_edge
from rounds.engine.pack.compiled_rules import compile_rules
from rounds.floor.fact_values import DecksValue
from rounds.intake.protocol.round import Wager
from tests.compliance.analysis.fairness.dice_play import AFTER, DAY, play_many, results
from tests.compliance.audit.round_builders import MBS, START, pack_of, wager
from tests.compliance.tables.equipment.builders import NSW, SKYCITY, Floor
from tests.rounds.floor.crew import OPENING


def on_small(outcomes: np.ndarray, stake: int = 10_000, *, won: object = None) -> list[list[Wager]]:
    """A wager on small in every round, settled correctly or always the same way."""
    found = []
    for place, each in enumerate(outcomes.tolist()):
        roll = OUTCOMES[each]
        wins = sum(roll) <= 10 and len(set(roll)) > 1 if won is None else bool(won)
        found.append([wager("small", stake, 2 * stake if wins else 0, placed_at=START + timedelta(seconds=20 + place))])
    return found


def examined(floor: Floor) -> DailyReturn:
    floor.consume(AFTER)
    floor.house.audit()
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    return DailyReturn.objects.get()


def test_small_by_hand(floor: Floor) -> None:
    """105 of 216 results give 2 for 1. The variance is the audit's own."""
    floor.table(NSW)
    outcomes = results(rounds=40)
    play_many(floor, outcomes, wagers=on_small(outcomes))
    row = examined(floor)
    drift = total_drift([row])
    bet = drift.bets["small", DICE]
    won = sum(sum(OUTCOMES[each]) <= 10 and len(set(OUTCOMES[each])) > 1 for each in outcomes)
    assert (bet.staked, bet.returned) == (400_000, 20_000 * won)
    assert bet.expected == bet.lowest == bet.highest == 400_000 * Fraction(210, 216)
    assert bet.variance == pytest.approx(40 * 20_000**2 * 105 / 216 * 111 / 216)
    assert drift.variance == pytest.approx(float(DailyTotals.objects.get().variance))
    found = run_return_test([row])
    assert found is not None
    assert found.statistic == pytest.approx(float(bet.returned - bet.expected) / bet.variance**0.5)
    # The betting score, bet by bet: what a wager won minus the price of the bet at fair odds.
    for scale, growth in zip(BET_SCALES, row.growth[SINGLE_ROUND], strict=True):
        win, lose = (scale * 10_000 * (give - 210 / 216) for give in (2, 0))
        most = max(win, lose)
        cost = most + log(105 / 216 * exp(win - most) + 111 / 216 * exp(lose - most))
        assert growth == pytest.approx(scale * float(bet.returned - bet.expected) - 40 * cost, rel=1e-6, abs=1e-6)


def test_a_table_that_always_pays_is_signalled_and_one_that_pays_as_it_should_is_not(floor: Floor) -> None:
    floor.table(NSW)
    floor.table(SKYCITY, "sb-2")
    outcomes = results(rounds=200)
    play_many(floor, outcomes, wagers=on_small(outcomes))
    play_many(floor, outcomes, wagers=on_small(outcomes, won=True), table="sb-2")
    floor.consume(AFTER)
    floor.house.audit()
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    signal = Signal.objects.get()
    assert (signal.code, signal.subject, signal.test, signal.window) == ("FAIR-RETURN", "sb-2", "return", "2026-11")
    assert (signal.rounds, len(signal.cells)) == (200, 1)
    assert signal.cells[0][:2] == ["16 Nov", round(200 * 10_000 * (2 - Fraction(210, 216)))]
    assert float(signal.p_value) <= float(signal.level)


def test_super_streak_counts_with_its_exact_average(floor: Floor) -> None:
    floor.table(NSW)
    streaks = [wager("streak:small", 1_000, 0, id="w-a"), wager("streak:small", 500, 0, id="w-b")]
    play_many(floor, results(rounds=2), wagers=[streaks, [wager("streak:big", 1_000, 2_000)]])
    drift = total_drift([examined(floor)])
    rules = compile_rules(pack_of(NSW), next(iter(pack_of(NSW).law.pay_table)))
    small = drift.bets["streak:small", STREAK]
    assert (small.staked, small.returned) == (1_500, 0)
    assert small.expected == 1_500 * (1 - house_edge(rules, "streak:small")) == 1_500 * Fraction(1847, 2048)
    # Both end in one round, so they vary as one wager of 15 dollars.
    assert drift.bets["streak:big", STREAK].variance * 1.5**2 == pytest.approx(small.variance)
    assert drift.deviation == pytest.approx(small.variance**0.5 + drift.bets["streak:big", STREAK].variance ** 0.5)
    assert set(drift.growth) == {"streak:small", "streak:big"}


@pytest.mark.parametrize("decks", [4, None])
def test_cards_from_stated_decks_and_from_unknown_ones(floor: Floor, decks: int | None) -> None:
    table = floor.table(MBS)
    if decks:
        floor.house.state(table, DecksValue(decks=decks), at=OPENING, now=OPENING)
        # Stated for later: not in force on this day, whenever the day is examined.
        floor.house.state(table, DecksValue(decks=6), at=START + timedelta(hours=2), now=AFTER)
    outcomes = results(rounds=3)
    play_many(floor, outcomes, wagers=[[wager("small", 10_000, 0, rules=MBS)]] * 3)
    drift = total_drift([examined(floor)])
    [((code, basis), bet)] = drift.bets.items()
    rules = compile_rules(pack_of(MBS), next(iter(pack_of(MBS).law.pay_table)))
    returns = {number: 1 - house_edge(rules, "small", number) for number in range(2, 7)}
    if decks:
        assert (code, basis) == ("small", CARDS)
        assert bet.expected == bet.lowest == bet.highest == 30_000 * returns[decks]
        assert SINGLE_ROUND in drift.growth
    else:
        # Treated as an endless shoe, within the range of two to six decks; no signal.
        assert (code, basis) == ("small", CARDS_UNKNOWN)
        assert bet.expected == 30_000 * Fraction(210, 216)
        assert bet.highest == 30_000 * max(returns.values())
        assert bet.lowest == bet.expected < bet.highest
        assert drift.growth == {}


def test_fair_play_fills_no_purse_whatever_the_stakes_and_odds() -> None:
    """A thousand months of forty rounds at 180 to 1, staked double after each loss: one in ten may reach tenfold."""
    rng, scale = np.random.default_rng(4), BET_SCALES[:, None]
    chances, pays = np.array([1 / 216, 215 / 216]), np.array([181.0, 0.0])
    reached = 0
    for _ in range(1_000):
        growth, stake = np.zeros(len(BET_SCALES)), 100.0
        for _ in range(40):
            won = rng.random() < chances[0]
            beyond = stake * (pays - chances @ pays)
            growth += (BET_SCALES * beyond[0 if won else 1]) - np.logaddexp.reduce(
                scale * beyond + np.log(chances), axis=1
            )
            stake = 100.0 if won else min(stake * 2, 1e6)
        reached += p_value({SINGLE_ROUND: growth}) <= 0.1
    assert reached <= 100


def test_a_purse_filled_tenfold_is_one_chance_in_ten() -> None:
    """By hand. Half of the purse does not grow and is worth 1/2; the other half, grown nineteenfold, 19/2: ten
    together. Either all scales have grown so far, or one of them alone and the others are unchanged."""
    every, one = np.full(len(BET_SCALES), log(19)), np.zeros(len(BET_SCALES))
    one[3] = log(18 * len(BET_SCALES) + 1)
    for growth in (every, one):
        assert log_betting_score({SINGLE_ROUND: growth}) == pytest.approx(log(10))
        assert p_value({SINGLE_ROUND: growth}) == pytest.approx(0.1)
    assert p_value({SINGLE_ROUND: np.full(len(BET_SCALES), -5.0)}) == 1


def test_an_empty_purse_says_nothing() -> None:
    assert log_betting_score({}) == pytest.approx(0)
    assert p_value({}) == 1
