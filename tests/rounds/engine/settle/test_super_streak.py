"""Super Streak: the run of a wager over later rounds, and when a table accepts new streak wagers."""

from typing import Any

import pytest

from rounds.engine.bets.bet_codes import parse_bet
from rounds.engine.settle.super_streak import TableResult, compute_table_streak
from tests.rounds.engine.cases import NSW, RWS, alternative_verdict, parse_history, rules_of, settle_case

S, B = "1-2-3", "6-5-4"  # Small and even (6); Big and odd (15)
TRIPLE = "2-2-2"
TEN = "2-4-4"


def streak(bet: str, history: str, **more: Any) -> dict[str, Any]:
    return settle_case(NSW, bet, history=parse_history(history), **more)


@pytest.mark.parametrize(
    ("count", "returned"),
    [
        (0, 0),
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 700),
        (5, 1100),
        (6, 1600),
        (7, 2100),
        (8, 3600),
        (9, 5100),
        (10, 7600),
        (11, 10100),
    ],
)
def test_a_run_is_paid_by_its_length_when_the_other_side_comes(count: int, returned: int) -> None:
    line = streak("streak:small", f"{S} " * count + B)
    assert (line["verdict"], line["returned"]) == ("win" if returned else "lose", returned)
    assert streak("streak:big", f"{B} " * count + S)["returned"] == returned


def test_the_twelfth_is_paid_at_once_and_what_follows_does_not_matter() -> None:
    assert streak("streak:small", f"{S} " * 11)["verdict"] == "open"
    for history in (f"{S} " * 12, f"{S} " * 15, f"{S} " * 12 + B):
        line = streak("streak:small", history)
        assert (line["verdict"], line["odds"], line["returned"]) == ("win", "500 to 1", 50100)


def test_while_it_runs_it_is_open_and_nothing_is_due() -> None:
    for history in ("", S, f"{S} {S} {S} {S} {S}"):
        line = streak("streak:small", history)
        assert (line["verdict"], line["winnings"], line["returned"]) == ("open", None, None)


def test_triples_and_no_results_neither_win_nor_lose_nor_progress() -> None:
    assert streak("streak:small", f"{S} {TRIPLE} {S} none {S} 5-5-5 {S} {B}")["returned"] == 700
    assert streak("streak:big", f"{B} {B} {TRIPLE} none {B} {S}")["returned"] == 0
    clauses = streak("streak:small", f"{S} {TRIPLE} none")["clauses"]
    assert clauses == ["6.4.1", "8.6", "6.2"]


def test_small_big_and_odd_even_are_independent() -> None:
    history = f"{S} 1-1-2 {B} 6-6-4 {B}"  # even, even, odd, even, odd; small, small, big, big, big
    assert streak("streak:even", history)["returned"] == 0
    assert streak("streak:small", history)["returned"] == 0
    assert streak("streak:odd", "6-5-4 1-2-2 6-6-1 1-1-1 1-1-5 1-1-4")["returned"] == 700
    assert streak("streak:small", "6-5-4 1-2-2 6-6-1 1-1-1 1-1-5 1-1-4")["returned"] == 0


def test_a_total_of_ten_is_even_whatever_the_even_wager_does() -> None:
    history = f"{S} {TEN} {S} {S} {B}"
    line = streak("streak:even", history)
    assert line["returned"] == 700
    assert alternative_verdict(line, "streak-ten", "breaks") == ("lose", 0)
    assert alternative_verdict(line, "streak-ten", "neutral") == ("lose", 0)
    ruled = streak("streak:even", history, readings={"even": "every-even-total"})
    assert ruled["returned"] == 700


def test_a_total_of_ten_ends_an_odd_streak_unless_it_is_neutral() -> None:
    line = streak("streak:odd", f"{B} {B} {B} {B} {TEN} {B} {S}")
    assert line["returned"] == 700
    assert alternative_verdict(line, "streak-ten", "breaks") is None
    assert alternative_verdict(line, "streak-ten", "neutral") == ("win", 1100)


def test_the_opening_result_counts_only_under_that_reading() -> None:
    line = streak("streak:small", f"{S} {S} {S} {B}", opening=[1, 1, 2])
    assert line["returned"] == 0
    assert alternative_verdict(line, "streak-count", "opening-counts") == ("win", 700)
    assert alternative_verdict(line, "streak-count", "first-result-sets") is None
    # An opening result in the other direction does not count.
    assert (
        alternative_verdict(
            streak("streak:small", f"{S} {S} {S} {B}", opening=[6, 6, 5]), "streak-count", "opening-counts"
        )
        is None
    )


def test_a_pair_wager_takes_the_direction_of_the_opening_result_uncounted() -> None:
    line = streak("streak:small-big", f"{B} {B} {B} {B} {S}", opening=[6, 6, 5])
    assert line["returned"] == 700
    assert alternative_verdict(line, "streak-count", "opening-counts") == ("win", 1100)
    assert streak("streak:small-big", f"{B} {B} {B} {B} {S}", opening=[1, 1, 2])["returned"] == 0
    assert streak("streak:odd-even", f"{S} {S} {S} {S} {B}", opening=[1, 1, 2])["returned"] == 700


def test_a_pair_wager_may_take_the_direction_of_the_first_result_after_it() -> None:
    readings = {"streak-count": "first-result-sets"}
    assert streak("streak:small-big", f"none {TRIPLE} {B} {B} {B} {B} {S}", readings=readings)["returned"] == 700
    assert streak("streak:small-big", f"{S} {S} {S} {B}", readings=readings)["returned"] == 0
    assert streak("streak:small", f"{B} {B} {B} {B} {S}", readings=readings)["returned"] == 0


def test_a_pair_wager_without_an_opening_result_cannot_be_settled() -> None:
    assert streak("streak:small-big", f"{S} {S}")["code"] == "opening-needed"
    assert streak("streak:small-big", f"{S} {S}", opening=[2, 2, 2])["code"] == "opening-needed"
    assert streak("streak:small-big", f"{TRIPLE} none")["verdict"] == "open"


def test_no_result_leaves_the_streak_where_it_is() -> None:
    line = streak("streak:small", f"{S} {S}", void="not-flat")
    assert (line["verdict"], line["returned"]) == ("open", None)
    assert line["clauses"] == ["8.1", "8.6"]
    assert line["alternatives"] == []


def test_an_invalidated_outcome_freezes_it_or_refunds_it() -> None:
    line = streak("streak:small", f"{S} {S}", void="invalidated")
    assert line["verdict"] == "open"
    assert alternative_verdict(line, "streak-invalidated", "refund") == ("void", 100)
    ended = streak("streak:small", f"{S} {B}", void="invalidated", readings={"streak-invalidated": "refund"})
    assert (ended["verdict"], ended["returned"]) == ("lose", 0)


def test_equipment_that_fails_ends_the_streak_at_its_count() -> None:
    short = streak("streak:small", f"{S} {S} {S}", lights_failed=True)
    assert (short["verdict"], short["returned"]) == ("lose", 0)
    assert "8.7.1" in short["clauses"]
    assert alternative_verdict(short, "streak-fault", "refund") == ("void", 100)
    paid = streak("streak:small", f"{S} {S} {S} {S}", lights_failed=True)
    assert (paid["verdict"], paid["returned"]) == ("win", 700)
    assert alternative_verdict(paid, "streak-fault", "refund") is None


def test_a_streak_ended_by_play_in_the_failed_round_is_not_refunded() -> None:
    line = streak("streak:small", f"{S} {S} {B}", lights_failed=True, readings={"streak-fault": "refund"})
    assert (line["verdict"], line["returned"]) == ("lose", 0)


def test_only_nsw_has_super_streak() -> None:
    assert settle_case(RWS, "streak:small", history=[], pay_table="1")["verdict"] == "unapproved"


def day(written: str) -> list[TableResult]:
    return [
        TableResult(None if dice is None else (dice[0], dice[1], dice[2]), ended_by_fault=False)
        for dice in parse_history(written)
    ]


@pytest.mark.parametrize(
    ("so_far", "open_for_small_big", "open_for_odd_even"),
    [
        ("", False, False),
        ("none", False, False),
        (TRIPLE, False, False),
        (f"{TRIPLE} none {S}", True, True),
        (f"{S} {S}", False, False),
        (f"{S} {TRIPLE}", True, True),
        (f"{S} {S} {TRIPLE} none", False, False),
        (f"{S} {S} {B}", True, True),
        (f"{S} {S} 1-2-2", False, True),
        (f"{S} {S} 6-6-4", True, False),
        (f"{S} " * 12, False, False),
        (f"{S} " * 13, False, False),
        (f"{S} " * 13 + B, True, True),
    ],
)
def test_a_wager_is_taken_after_the_first_result_and_at_a_change_over(
    so_far: str, open_for_small_big: bool, open_for_odd_even: bool
) -> None:
    rules = rules_of(NSW)
    assert (
        compute_table_streak(rules, parse_bet("streak:small").streak_pair, day(so_far)).accepts_wagers
        is open_for_small_big
    )
    assert (
        compute_table_streak(rules, parse_bet("streak:odd-even").streak_pair, day(so_far)).accepts_wagers
        is open_for_odd_even
    )


def test_a_fault_ends_the_run_so_that_wagers_are_taken_again() -> None:
    rules, small = rules_of(NSW), parse_bet("streak:small")
    failed = [*day(f"{S} {S}"), TableResult((1, 2, 3), ended_by_fault=True)]
    assert compute_table_streak(rules, small.streak_pair, failed).accepts_wagers
    assert not compute_table_streak(rules, small.streak_pair, [*failed, *day(S)]).accepts_wagers


def test_a_ten_that_breaks_opens_betting_on_odd_and_even() -> None:
    after_ten = day(f"{S} {S} {TEN}")
    assert not compute_table_streak(rules_of(NSW), parse_bet("streak:even").streak_pair, after_ten).accepts_wagers
    assert compute_table_streak(
        rules_of(NSW, streak_ten="breaks"), parse_bet("streak:even").streak_pair, after_ten
    ).accepts_wagers
    assert compute_table_streak(rules_of(NSW, streak_ten="neutral"), "odd-even", after_ten).length == 2
