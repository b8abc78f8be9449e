"""The reference settlement against house edges that were worked out apart from it, in per cent to two places.

A wrong cell in any of these wagers moves its edge, whatever the golden cases happen to show.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from tests.rounds.reference.naive import naive_settle
from tests.rounds.reference.wording import Line

SMALL, BIG, EVEN, ODD, TEN = [1, 2, 4], [3, 4, 6], [1, 2, 3], [1, 2, 4], [1, 3, 6]
STAKE = 100


def returned_of(line: Line) -> int:
    returned: int = naive_settle(line)["returned"]
    return returned


def edge(rules: str, bet: str, **given: object) -> Fraction:
    """What the house keeps of a stake, over the 216 rolls."""
    line = {"rules": rules, "bet": bet, "stake": STAKE} | given
    returned = sum(returned_of(line | {"dice": list(dice)}) for dice in product(range(1, 7), repeat=3))
    return 1 - Fraction(returned, 216 * STAKE)


def per_cent(part: Fraction) -> Decimal:
    return (Decimal(part.numerator * 100) / Decimal(part.denominator)).quantize(Decimal("0.01"))


def streak_edge(bet: str, counting: list[int], breaking: list[int], chance: Fraction, **readings: str) -> Fraction:
    """Each length of the streak with its chance; at 12 it is over whatever comes next."""
    line = {"rules": "nsw-sic-bo", "bet": bet, "stake": STAKE, "readings": readings}
    back = Fraction(0)
    for length in range(12):
        history = [counting] * length + [breaking]
        back += chance**length * (1 - chance) * returned_of(line | {"history": history})
    back += chance**12 * returned_of(line | {"history": [counting] * 12})
    return 1 - back / STAKE


@pytest.mark.parametrize(
    ("rules", "bet", "readings", "expected"),
    [
        ("nsw-sic-bo", "small", {}, "2.78"),
        ("nsw-sic-bo", "even", {}, "26.85"),
        ("nsw-sic-bo", "even", {"even": "every-even-total"}, "2.78"),
        ("nsw-sic-bo", "even", {"even": "printed-no-triple"}, "27.78"),
        ("nsw-sic-bo", "four:1-2-3-4", {}, "11.11"),
        ("nsw-sic-bo", "four:1-2-3-4", {"four-number": "repeats-allowed"}, "-137.04"),
        ("skycity-big-and-small", "field", {}, "3.70"),
        ("skycity-big-and-small", "field", {"field-on-triples": "lose"}, "5.56"),
        ("skycity-big-and-small", "pair:1-2", {}, "9.72"),
        ("licensee-sic-bo", "single:5", {}, "39.12"),
        ("licensee-sic-bo", "single:5", {"one-of-a-kind": "even-money"}, "7.87"),
        ("licensee-sic-bo", "single:5", {"one-of-a-kind": "even-money", "one-of-a-kind-pair": "any-pair"}, "0.93"),
        ("licensee-sic-bo", "double:4", {}, "33.33"),
        ("licensee-sic-bo", "double:4", {"two-of-a-kind": "exactly-two"}, "37.50"),
        ("licensee-sic-bo", "big", {"big": "as-printed"}, "100.00"),
    ],
)
def test_edge_over_all_rolls(rules: str, bet: str, readings: dict[str, str], expected: str) -> None:
    assert per_cent(edge(rules, bet, readings=readings)) == Decimal(expected)


@pytest.mark.parametrize(
    ("pay_table", "bet", "expected"),
    [
        ("1", "total:4", "9.72"),
        ("1", "double:1", "7.41"),
        ("1", "triple:1", "9.26"),
        ("2", "three:1-2-6", "13.89"),
        ("2", "double-single:1-1-3", "29.17"),
        ("3", "triple:any", "11.11"),
        ("3", "triple:6", "16.20"),
    ],
)
def test_edge_of_an_rws_pay_table(pay_table: str, bet: str, expected: str) -> None:
    assert per_cent(edge("rws-sic-bo-etg", bet, pay_table=pay_table)) == Decimal(expected)


def test_edge_of_super_streak() -> None:
    half = Fraction(1, 2)
    assert streak_edge("streak:small", SMALL, BIG, half) == Fraction(201, 2048)
    opening = streak_edge("streak:small", SMALL, BIG, half, **{"streak-count": "opening-counts"})
    assert per_cent(opening) == Decimal("-80.37")


def test_edge_of_an_even_streak_that_a_ten_breaks() -> None:
    """78 of the 210 rolls that are no triple are Even without 10."""
    broken = streak_edge("streak:even", EVEN, ODD, Fraction(78, 210), **{"streak-ten": "breaks"})
    assert per_cent(broken) == per_cent(
        streak_edge("streak:even", EVEN, TEN, Fraction(78, 210), **{"streak-ten": "breaks"})
    )
    assert abs(per_cent(broken) - Decimal("80.9")) <= Decimal("0.05")
