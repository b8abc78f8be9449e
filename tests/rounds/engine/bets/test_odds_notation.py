"""Odds as exact fractions: parsing and formatting."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.engine.bets.odds_notation import format_odds, parse_odds
from rounds.engine.errors import EngineError, ErrorCode


@pytest.mark.parametrize(
    ("wording", "odds"),
    [
        ("1 to 1", Fraction(1)),
        ("8.5 to 1", Fraction(17, 2)),
        ("5 1/2 to 1", Fraction(11, 2)),
        ("11/2 to 1", Fraction(11, 2)),
        ("1 to 10", Fraction(1, 10)),
        ("500 to 1", Fraction(500)),
        ("7 to 3", Fraction(7, 3)),
    ],
)
def test_wordings(wording: str, odds: Fraction) -> None:
    assert parse_odds(wording) == odds


@pytest.mark.parametrize(
    ("odds", "wording"),
    [
        (Fraction(17, 2), "8.5 to 1"),
        (Fraction(11, 2), "5.5 to 1"),
        (Fraction(62), "62 to 1"),
        (Fraction(1, 10), "1 to 10"),
        (Fraction(1, 2), "1 to 2"),
        (Fraction(7, 3), "2 1/3 to 1"),
        (Fraction(9, 8), "1.125 to 1"),
    ],
)
def test_canonical_wording(odds: Fraction, wording: str) -> None:
    assert format_odds(odds) == wording


@pytest.mark.parametrize(
    "wording",
    [
        "8.5",
        "6 for 1",
        "1:62",
        "0 to 1",
        "1 to 0",
        "-1 to 1",
        "1e3 to 1",
        "5 1/0 to 1",
        "nan to 1",
        " 1 to 1",
        "",
        "٣ to 1",
    ],
)
def test_what_is_not_odds_is_refused(wording: str) -> None:
    with pytest.raises(EngineError) as refused:
        parse_odds(wording)
    assert refused.value.code is ErrorCode.BAD_ODDS


@given(st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000))
def test_what_is_written_is_read_back(odds: Fraction) -> None:
    assert parse_odds(format_odds(odds)) == odds


@given(st.one_of(st.text(), st.from_regex(r"[0-9./ ]{1,9} to [0-9./ ]{1,9}"), st.floats(), st.none(), st.integers()))
def test_anything_is_odds_or_is_refused(raw: object) -> None:
    try:
        answer: object = parse_odds(raw) > 0
    except EngineError as error:
        answer = error.code
    assert answer is True or answer is ErrorCode.BAD_ODDS
