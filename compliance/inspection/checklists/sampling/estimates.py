"""Estimates for the whole population from a weighted sample (Horvitz and Thompson), unbiased for any weights, and their
margin of error (Wilson)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.models import Draw

HASH_SPACE = 2**256
# Two-sided 95 % of the normal distribution.
Z_95 = 1.959964


@dataclass(frozen=True)
class SampleResults:
    """Results of a sample so far. `estimate` is for the whole population; None until every drawn round is checked.
    `effective_size` is the number of rounds of an unweighted sample of the same precision (Kish)."""

    drawn: int
    looked_at: int
    not_in_order: int
    population: int
    estimate: Fraction | None
    effective_size: Fraction = Fraction(0)

    @property
    def estimated_share(self) -> Fraction | None:
        return None if self.estimate is None else min(self.estimate / self.population, Fraction(1))

    @property
    def interval(self) -> tuple[int, int] | None:
        """Between how many rounds of the population are not in order, with 95 % confidence.

        Wilson's interval with the effective size, corrected for a finite population. It never contradicts the rounds
        that were checked; a sample of all rounds has no margin.
        """
        share = self.estimated_share
        if share is None:
            return None
        if self.drawn == self.population:
            return self.not_in_order, self.not_in_order
        size = float(self.effective_size) * (self.population - 1) / (self.population - self.drawn)
        low, high = wilson_interval(float(share), size)
        most = self.population - (self.looked_at - self.not_in_order)
        return max(math.floor(low * self.population), self.not_in_order), min(math.ceil(high * self.population), most)


def wilson_interval(share: float, size: float) -> tuple[float, float]:
    """95 % confidence interval of a share found in a sample of this size."""
    middle = share + Z_95**2 / (2 * size)
    half = Z_95 * math.sqrt(share * (1 - share) / size + Z_95**2 / (4 * size**2))
    whole = 1 + Z_95**2 / size
    return max((middle - half) / whole, 0.0), min((middle + half) / whole, 1.0)


def summarize_results(draw: Draw, verdicts: Iterable[tuple[int, str]]) -> SampleResults:
    """`verdicts` has the weight of each drawn round, and its verdict if it was checked."""
    drawn = list(verdicts)
    looked_at = sum(1 for _, verdict in drawn if verdict)
    bad = [weight for weight, verdict in drawn if verdict == RoundVerdict.NOT_IN_ORDER]
    is_whole = looked_at == len(drawn)
    estimate = sum((rounds_represented(draw, weight) for weight in bad), Fraction(0)) if is_whole else None
    stands_for = [rounds_represented(draw, weight) for weight, _ in drawn] if is_whole else []
    effective = sum(stands_for) ** 2 / sum(one**2 for one in stands_for) if stands_for else Fraction(0)
    return SampleResults(len(drawn), looked_at, len(bad), draw.population, estimate, Fraction(effective))


def rounds_represented(draw: Draw, weight: int) -> Fraction:
    """Number of rounds that one of this weight represents."""
    if len(draw.rounds) == draw.population:
        return Fraction(1)
    if draw.weighed is None:
        return Fraction(draw.population, len(draw.rounds))
    return 1 / inclusion_probability(draw.weighed["first_left_out_sha256"], weight)


def inclusion_probability(first_left_out: str, weight: int) -> Fraction:
    """Probability that a round of this weight was drawn, given the first hash left out.

    A round of weight w is drawn exactly if one of its w tickets hashes below t, the smallest hash that was left out.
    The probability is 1 - (1 - t)^w; the round counts for its inverse (for t, Cohen and Kaplan: bottom-k sketches).
    """
    above = HASH_SPACE - int(first_left_out, 16)
    return 1 - Fraction(above**weight, HASH_SPACE**weight)
