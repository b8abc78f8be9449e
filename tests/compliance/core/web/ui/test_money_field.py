"""Dollars as typed become integer cents, or an error that says what to type."""

import pytest
from django.core.exceptions import ValidationError

from compliance.core.web.ui.forms import MoneyField


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("1,234.50", 123450),
        ("1234.5", 123450),
        ("$25", 2500),
        (" $ 25.00 ", 2500),
        ("0", 0),
        ("0.01", 1),
        ("10,000", 1000000),
        ("9,999,999,999,999.99", 999999999999999),
    ],
)
def test_an_amount_is_read_exactly(typed: str, cents: int) -> None:
    assert MoneyField().clean(typed) == cents


@pytest.mark.parametrize("typed", ["1.234", "0.001", "25.000"])
def test_part_of_a_cent_is_refused(typed: str) -> None:
    with pytest.raises(ValidationError, match="whole cents: at most two digits"):
        MoneyField().clean(typed)


@pytest.mark.parametrize("typed", ["12,34.50", "1,2345", ",100", "abc", "1e3", "-5", "1.", "٣", "1 000", "NaN"])
def test_anything_else_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(ValidationError, match=r"such as 1,234\.50"):
        MoneyField().clean(typed)


@pytest.mark.parametrize(("typed", "complaint"), [("4.99", r"\$5\.00 or more"), ("100.01", r"\$100\.00 or less")])
def test_the_bounds_are_named(typed: str, complaint: str) -> None:
    field = MoneyField(min_cents=500, max_cents=10000)
    assert [field.clean("5"), field.clean("100")] == [500, 10000]
    with pytest.raises(ValidationError, match=complaint):
        field.clean(typed)


def test_an_absurd_amount_is_refused_before_the_database_sees_it() -> None:
    with pytest.raises(ValidationError, match="or less"):
        MoneyField().clean("9" * 40)


def test_stored_cents_are_shown_back_as_dollars() -> None:
    field = MoneyField()
    assert field.prepare_value(123450) == "1,234.50"
    assert field.prepare_value("12.3x") == "12.3x"
    assert not field.has_changed(123450, "1,234.50")
    assert field.has_changed(123450, "1,234.51")


def test_an_optional_amount_may_be_left_out() -> None:
    assert MoneyField(required=False).clean("") is None
