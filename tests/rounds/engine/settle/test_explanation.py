"""Explanations: the steps of a settlement as sentences with amounts and clauses."""

from rounds.engine.bets.bet_codes import parse_bet
from rounds.engine.settle.explanation import _STEP_TEXTS, explain_settlement
from rounds.engine.settle.settle_wager import settle_with_pack
from rounds.engine.settle.settlement import SettlementStepKind, WagerLimits, WagerQuestion
from tests.rounds.engine.cases import NSW, RWS, SKYCITY, pack_of


def test_a_clipped_winner() -> None:
    asked = WagerQuestion(parse_bet("small"), 100_000, (1, 2, 3), WagerLimits(maximum_cents=60_000))
    assert explain_settlement(settle_with_pack(pack_of(NSW), asked)) == (
        "The result is 1-2-3, total 6.",
        "small wins. [3.1.1.1]",
        "It pays 1 to 1. [7.1]",
        "The stake counts up to the maximum of $600.00; $400.00 is handed back. [4.3]",
        "$600.00 at 1 to 1 wins $600.00.",
        "Due: $1,600.00.",
    )


def test_a_payment_rounded_up() -> None:
    asked = WagerQuestion(parse_bet("pair:1-2"), 500, (1, 2, 6), WagerLimits(payable_unit_cents=100))
    assert explain_settlement(settle_with_pack(pack_of(SKYCITY), asked))[-3:] == (
        "$27.50 cannot be paid in units of $1.00: raised to $28.00. [8.f]",
        "$5.00 at 5.5 to 1 wins $28.00.",
        "Due: $33.00.",
    )


def test_a_wager_the_rules_do_not_know() -> None:
    asked = WagerQuestion(parse_bet("three:1-2-3"), 500, (1, 2, 3), pay_table="1")
    assert explain_settlement(settle_with_pack(pack_of(RWS), asked)) == (
        "three:1-2-3 is not a wager of rws-sic-bo-etg@8, pay table 1. [4.1.1]",
        "The rules give no verdict on it.",
    )


def test_a_running_streak() -> None:
    asked = WagerQuestion(parse_bet("streak:small"), 500, history=((1, 2, 3), None, (2, 2, 2), (1, 1, 2)))
    assert explain_settlement(settle_with_pack(pack_of(NSW), asked)) == (
        "The streak runs on small.",
        "Results that leave it where it is: 1. [6.4.1]",
        "Rounds without a result, which leave it where it is: 1. [8.6]",
        "2 in a row.",
        "The streak is still running at 2. [6.2]",
        "Nothing is due yet.",
    )


def test_the_level_is_told_where_there_are_several() -> None:
    asked = WagerQuestion(parse_bet("single:5"), 500, (5, 5, 6))
    assert explain_settlement(settle_with_pack(pack_of(SKYCITY), asked))[1] == "single:5 wins (two). [5.h]"


def test_every_step_has_a_sentence() -> None:
    assert set(_STEP_TEXTS) == set(SettlementStepKind)
