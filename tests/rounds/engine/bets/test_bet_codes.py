"""The closed set of bet codes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.engine.bets.bet_codes import BET_CODES, BET_INDEX, BETS, parse_bet
from rounds.engine.errors import EngineError, ErrorCode


def test_every_family_has_all_its_codes_and_no_more() -> None:
    assert Counter(bet.family for bet in BETS.values()) == {
        "small": 1,
        "big": 1,
        "odd": 1,
        "even": 1,
        "field": 1,
        "triple": 7,
        "double": 6,
        "total": 16,
        "pair": 15,
        "single": 6,
        "four": 15,
        "three": 20,
        "double-single": 30,
        "streak": 6,
    }
    assert len(BET_CODES) == 126


def test_codes_keep_their_canonical_place() -> None:
    assert BET_CODES[:6] == ("small", "big", "odd", "even", "field", "triple:any")
    assert BET_CODES[-6:] == (
        "streak:small",
        "streak:big",
        "streak:odd",
        "streak:even",
        "streak:small-big",
        "streak:odd-even",
    )
    assert BET_INDEX["total:3"] == 18
    assert [BET_INDEX[code] for code in BET_CODES] == list(range(126))


def test_a_code_is_taken_apart() -> None:
    assert parse_bet("double-single:2-2-1").numbers == (2, 2, 1)
    assert parse_bet("four:2-3-5-6").numbers == (2, 3, 5, 6)
    assert parse_bet("streak:odd").streak_pair == "odd-even"
    assert parse_bet("streak:small-big").streak_pair == "small-big"


@pytest.mark.parametrize(
    "code", ["total:2", "total:19", "triple:7", "pair:1-1", "single:0", "Small", "", "double-single"]
)
def test_strings_outside_the_set_are_refused(code: str) -> None:
    with pytest.raises(EngineError) as refused:
        parse_bet(code)
    assert refused.value.code is ErrorCode.UNKNOWN_BET


@pytest.mark.parametrize(
    ("written", "canonical"),
    [("pair:2-1", "pair:1-2"), ("double-single:1-2-2", "double-single:2-2-1"), ("four:6-5-3-2", "four:2-3-5-6")],
)
def test_numbers_in_another_order_are_refused_with_the_right_spelling(written: str, canonical: str) -> None:
    with pytest.raises(EngineError, match=f"write it {canonical}"):
        parse_bet(written)


@given(st.one_of(st.text(), st.none(), st.integers(), st.lists(st.integers()), st.floats()))
def test_anything_is_a_bet_or_is_refused(raw: object) -> None:
    try:
        answer: object = parse_bet(raw).code
    except EngineError as error:
        answer = error.code
    assert answer == raw or answer is ErrorCode.UNKNOWN_BET
