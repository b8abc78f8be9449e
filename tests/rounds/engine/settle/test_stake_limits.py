"""Stake limits: capping at the maximum, stakes under the minimum, multiples and payable amounts."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.engine.bets.bet_codes import parse_bet
from rounds.engine.settle.settle_wager import settle_with_pack
from rounds.engine.settle.settlement import WagerLimits, WagerQuestion
from rounds.engine.settle.stake_limits import cap_stakes
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, alternative_verdict, pack_of, settle_case


@pytest.mark.parametrize(("slug", "clause"), [(NSW, "4.3"), (SKYCITY, "8.e")])
def test_over_the_maximum_counts_up_to_it_and_the_rest_is_handed_back(slug: str, clause: str) -> None:
    won = settle_case(slug, "small", "1-2-3", stake=1000, limits={"max": 600})
    assert (won["winnings"], won["returned"]) == (600, 1600)
    assert clause in won["clauses"]
    lost = settle_case(slug, "small", "6-5-4", stake=1000, limits={"max": 600})
    assert (lost["winnings"], lost["returned"]) == (0, 400)
    assert settle_case(slug, "small", "1-2-3", stake=600, limits={"max": 600})["clauses"].count(clause) == 0
    assert settle_case(slug, "small", "6-5-4", stake=601, limits={"max": 600})["returned"] == 1


@pytest.mark.parametrize("slug", [MBS, LICENSEE])
def test_where_the_document_is_silent_a_limit_alters_nothing(slug: str) -> None:
    limits = {"min": 2000, "max": 600 * 5, "multiples": True}
    assert settle_case(slug, "small", "1-2-3", stake=5000, limits=limits)["returned"] == 10000
    assert settle_case(slug, "small", "1-2-3", stake=1, limits=limits, warned=True)["returned"] == 2


def test_rws_limits_alter_nothing_and_half_cents_are_an_error() -> None:
    assert settle_case(RWS, "total:8", "2-3-3", stake=1000, pay_table="1", limits={"max": 600})["returned"] == 9500
    line = settle_case(RWS, "total:8", "2-3-3", stake=1, pay_table="1", limits={"payable_unit": 100})
    assert line["code"] == "not-a-whole-cent"
    assert settle_case(RWS, "total:8", "2-3-4", stake=1, pay_table="1")["verdict"] == "lose"


def test_nsw_under_the_minimum_is_valid_in_full() -> None:
    line = settle_case(NSW, "small", "1-2-3", stake=100, limits={"min": 500}, warned=True)
    assert (line["verdict"], line["returned"]) == ("win", 200)
    assert "4.2" in line["clauses"]


def test_nsw_found_on_a_later_game_stands_in_full() -> None:
    over = {"bet": parse_bet("small"), "stake_cents": 1000, "outcome": (1, 2, 3)}
    found_now = WagerQuestion(**over, limits=WagerLimits(maximum_cents=600))  # type: ignore[arg-type]
    found_later = WagerQuestion(**over, limits=WagerLimits(maximum_cents=600), was_found_later=True)  # type: ignore[arg-type]
    assert settle_with_pack(pack_of(NSW), found_now).returned_cents == 1600
    assert settle_with_pack(pack_of(NSW), found_later).returned_cents == 2000
    # SkyCity does not say what follows when it is found later, so the clip stays.
    assert settle_with_pack(pack_of(SKYCITY), found_later).returned_cents == 1600


def test_skycity_under_the_minimum_is_settled_once_and_after_the_warning_returned() -> None:
    limits = {"min": 500}
    assert settle_case(SKYCITY, "small", "1-2-3", stake=499, limits=limits)["returned"] == 998
    assert settle_case(SKYCITY, "small", "6-5-4", stake=499, limits=limits)["returned"] == 0
    for dice in ("1-2-3", "6-5-4"):
        warned = settle_case(SKYCITY, "small", dice, stake=499, limits=limits, warned=True)
        assert (warned["verdict"], warned["returned"], warned["clauses"]) == ("void", 499, ["8.d"])
    assert settle_case(SKYCITY, "small", "6-5-4", stake=500, limits=limits, warned=True)["verdict"] == "lose"


def test_several_wagers_on_one_box_count_together_and_the_last_is_clipped_first() -> None:
    assert cap_stakes([300, 200, 400], 600) == [300, 200, 100]
    assert cap_stakes([700, 200], 600) == [600, 0]
    assert cap_stakes([300, 300], 600) == [300, 300]


NOTICE = {"min": 500, "multiples": True, "payable_unit": 100}


@pytest.mark.parametrize(
    ("stake", "limits", "winnings"),
    [
        # No notice: always up to the next payable amount.
        (500, {"payable_unit": 100}, 2800),
        (750, {"min": 500, "payable_unit": 100}, 4200),
        (400, {"payable_unit": 100}, 2200),
        (1, {}, 6),
        (3, {"payable_unit": 1}, 17),
        # Notice, and the stake is a multiple: payable in full, or the gap is rounded up.
        (1000, NOTICE, 5500),
        (500, NOTICE, 2800),
        # Notice, not a multiple, but payable in full all the same: 600 x 5.5 = 3300.
        (600, NOTICE, 3300),
        # Notice, not a multiple, not payable: on 500, then the gap; and on 1000, where there is no gap.
        (750, NOTICE, 2800),
        (1250, NOTICE, 5500),
        # Notice, below the minimum: as if there were no notice, never floored to nothing.
        (250, NOTICE, 1400),
    ],
)
def test_skycity_8f_by_default(stake: int, limits: dict[str, object], winnings: int) -> None:
    line = settle_case(SKYCITY, "pair:1-2", "1-2-6", stake=stake, limits=limits)
    assert (line["winnings"], line["returned"]) == (winnings, stake + winnings)


@pytest.mark.parametrize(
    ("stake", "limits", "down", "payout"),
    [
        (500, {"payable_unit": 100}, None, None),
        (750, {"min": 500, "payable_unit": 100}, None, None),
        (250, NOTICE, None, None),
        (600, NOTICE, None, None),
        (500, NOTICE, 2700, None),
        (750, NOTICE, 2700, 4000),
        (1250, NOTICE, None, 6500),
        # 550 x 5.5 = 3025, floored to a multiple of 300 is 3000.
        (550, {"min": 300, "multiples": True, "payable_unit": 1000}, 1000, 3000),
    ],
)
def test_skycity_8f_under_each_other_reading(
    stake: int, limits: dict[str, object], down: int | None, payout: int | None
) -> None:
    line = settle_case(SKYCITY, "pair:1-2", "1-2-6", stake=stake, limits=limits)
    assert alternative_verdict(line, "payable-gap", "round-down") == (None if down is None else ("win", stake + down))
    assert alternative_verdict(line, "lower-multiple", "payout") == (
        None if payout is None else ("win", stake + payout)
    )


def test_both_readings_of_8f_together() -> None:
    limits = {"min": 300, "multiples": True, "payable_unit": 700}
    readings = {"payable-gap": "round-down", "lower-multiple": "payout"}
    line = settle_case(SKYCITY, "pair:1-2", "1-2-6", stake=550, limits=limits, readings=readings)
    # 3025 down to 3000, a multiple of 300; then down to 2800, a multiple of 700.
    assert line["winnings"] == 2800


def test_the_clip_comes_before_the_rounding() -> None:
    line = settle_case(SKYCITY, "pair:1-2", "1-2-6", stake=800, limits={"max": 500, "payable_unit": 100})
    assert (line["winnings"], line["returned"]) == (2800, 3600)


def test_a_clipped_token_gives_back_the_excess_and_not_the_token() -> None:
    line = settle_case(NSW, "small", "1-2-3", stake=1000, limits={"max": 600}, tender="promotional-token")
    assert (line["winnings"], line["returned"]) == (600, 1000)
    assert (
        settle_case(NSW, "small", "6-5-4", stake=1000, limits={"max": 600}, tender="promotional-token")["returned"]
        == 400
    )


@given(
    stake=st.integers(1, 5000),
    unit=st.sampled_from([1, 5, 100, 250]),
    minimum=st.sampled_from([100, 500, 700]),
    notice=st.booleans(),
)
def test_what_skycity_pays_is_always_payable_and_never_a_unit_too_much(
    stake: int, unit: int, minimum: int, notice: bool
) -> None:
    limits = {"min": minimum, "multiples": notice, "payable_unit": unit}
    won = settle_case(SKYCITY, "pair:1-2", "1-2-6", stake=stake, limits=limits)["winnings"]
    exact = Fraction(11, 2) * stake
    assert won % unit == 0
    assert won - exact < unit
    if not notice:
        assert won >= exact
