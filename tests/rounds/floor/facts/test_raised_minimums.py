"""Whether new limits raise a minimum, which needs a sign: the table's or that of a type of wager."""

import pytest

from rounds.floor.fact_values import BetLimitsValue, LimitsValue


def limits(low: int, **by_bet: int) -> LimitsValue:
    return LimitsValue(min=low, max=100_000, by_bet={bet: BetLimitsValue(min=own) for bet, own in by_bet.items()})


@pytest.mark.parametrize(
    ("before", "after", "is_raised"),
    [
        (limits(1000), limits(1000), False),
        (limits(1000), limits(1001), True),
        (limits(1000), limits(999), False),
        (limits(1000), limits(1000, big=1000), False),
        (limits(1000), limits(1000, big=1001), True),
        (limits(1000), limits(1000, big=999), False),
        (limits(1000, big=2000), limits(1000, big=2000), False),
        # Without limits of its own the table's hold again.
        (limits(1000, big=999), limits(1000), True),
        (limits(1000, big=1001), limits(1000), False),
    ],
)
def test_a_minimum_is_raised(before: LimitsValue, after: LimitsValue, is_raised: bool) -> None:
    assert after.raises_minimum_of(before) is is_raised
