"""Amounts of money as text."""

from fractions import Fraction

from rounds.engine.money import dollars, format_cents


def test_amounts_have_two_places_and_separators() -> None:
    assert format_cents(123_456) == "$1,234.56"
    assert format_cents(5) == "$0.05"
    assert format_cents(0, "AUD") == "$0.00 AUD"
    assert dollars(1_234_567) == dollars(-1_234_567) == "12,345.67"


def test_a_debt_has_a_minus_sign_before_the_currency() -> None:
    assert format_cents(-5) == "−$0.05"
    assert format_cents(-123_456, "AUD") == "−$1,234.56 AUD"


def test_money_never_loses_a_part_of_a_cent() -> None:
    assert format_cents(Fraction(17, 2)) == "$0.08 and 1/2 of a cent"
    assert format_cents(Fraction(-35_001, 3)) == "−$116.67"
    assert format_cents(Fraction(-401, 4)) == "−$1.00 and 1/4 of a cent"


def test_no_amount_is_said_in_the_words_of_the_place() -> None:
    assert format_cents(None) == ""
    assert format_cents(None, "AUD", "Not yet") == "Not yet"
