"""What was handed back against what the odds give on average, and how far chance alone takes it from there."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from compliance.audit.models import Sort
from compliance.audit.selectors import Bet, Day

# Of a hundred periods of fair play, chance alone takes about one beyond these bounds.
DEVIATIONS = Fraction(2576, 1000)


@dataclass(frozen=True)
class Return:
    """Of wagers that can be compared. Expectation is exact; `deviation_cents` is one standard deviation."""

    staked_cents: int
    returned_cents: int
    expected_cents: Fraction
    deviation_cents: int

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
    def is_within(self) -> bool:
        return self.lower_rate <= self.rate <= self.upper_rate

    @property
    def verdict(self) -> str:
        if self.is_within:
            return "Within the bounds"
        return "Above the bounds" if self.rate > self.upper_rate else "Below the bounds"


def return_of(bets: Iterable[Bet], days: Iterable[Day]) -> Return | None:
    """None where nothing was staked that can be compared. Rounds are independent, so their variances add up."""
    compared = [bet for bet in bets if bet.sort == Sort.COMPARED]
    staked = sum(bet.staked_cents for bet in compared)
    if not staked:
        return None
    expected = sum((bet.staked_cents * (bet.returns or Fraction(0)) for bet in compared), start=Fraction(0))
    returned = sum(bet.returned_cents for bet in compared)
    return Return(staked, returned, expected, isqrt(sum(day.variance for day in days)))


def percent(rate: Fraction) -> str:
    """Two places, by exact rounding."""
    hundredths = round(rate * 10_000)
    return f"{hundredths // 100:,}.{hundredths % 100:02} %"
