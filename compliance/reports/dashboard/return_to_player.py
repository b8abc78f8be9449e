"""Return to player: amounts returned against their expectation under the odds, and the bounds of chance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from compliance.audit.models import WagerCategory
from compliance.audit.selectors import DailyWagers

# 99 % bounds: about one in a hundred periods of fair play is outside them by chance.
DEVIATIONS = Fraction(2576, 1000)


@dataclass(frozen=True)
class ReturnToPlayer:
    """For comparable wagers. The expectation is exact; `variance` is in square cents."""

    staked_cents: int
    returned_cents: int
    expected_cents: Fraction
    variance: int

    @property
    def deviation_cents(self) -> int:
        return isqrt(self.variance)

    @property
    def rate(self) -> Fraction:
        return Fraction(self.returned_cents, self.staked_cents)

    @property
    def expected_rate(self) -> Fraction:
        return self.expected_cents / self.staked_cents

    @property
    def lower_rate(self) -> Fraction:
        return max(Fraction(0), (self.expected_cents - DEVIATIONS * self.deviation_cents) / self.staked_cents)

    @property
    def upper_rate(self) -> Fraction:
        return (self.expected_cents + DEVIATIONS * self.deviation_cents) / self.staked_cents

    @property
    def is_within_bounds(self) -> bool:
        return self.lower_rate <= self.rate <= self.upper_rate

    @property
    def verdict(self) -> str:
        if self.is_within_bounds:
            return "Within the bounds"
        return "Above the bounds" if self.rate > self.upper_rate else "Below the bounds"


def compute_return(wagers: Iterable[DailyWagers], variance: int) -> ReturnToPlayer | None:
    """None when no comparable wager was staked."""
    compared = [one for one in wagers if one.sort == WagerCategory.COMPARED]
    staked = sum(one.staked_cents for one in compared)
    if not staked:
        return None
    expected = sum((one.staked_cents * (one.returns or Fraction(0)) for one in compared), start=Fraction(0))
    returned = sum(one.returned_cents for one in compared)
    return ReturnToPlayer(staked, returned, expected, variance)


def add_returns(returns: Sequence[ReturnToPlayer]) -> ReturnToPlayer:
    """Sum over days or tables."""
    return ReturnToPlayer(
        sum(one.staked_cents for one in returns),
        sum(one.returned_cents for one in returns),
        sum((one.expected_cents for one in returns), start=Fraction(0)),
        sum(one.variance for one in returns),
    )


def format_percent(rate: Fraction) -> str:
    """Two decimals, rounded exactly."""
    hundredths = round(rate * 10_000)
    return f"{hundredths // 100:,}.{hundredths % 100:02}%"
