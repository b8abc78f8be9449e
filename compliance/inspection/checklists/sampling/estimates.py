"""Estimates for the whole population from a weighted sample (Horvitz and Thompson), unbiased for any weights."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.models import Draw

HASH_SPACE = 2**256


@dataclass(frozen=True)
class SampleResults:
    """Results of a sample so far. `estimate` is for the whole population; None until every drawn round is checked."""

    drawn: int
    looked_at: int
    not_in_order: int
    population: int
    estimate: Fraction | None

    @property
    def estimated_share(self) -> Fraction | None:
        return None if self.estimate is None else min(self.estimate / self.population, Fraction(1))


def summarize_results(draw: Draw, verdicts: Iterable[tuple[int, str]]) -> SampleResults:
    """`verdicts` has the weight of each drawn round, and its verdict if it was checked."""
    drawn = list(verdicts)
    looked_at = sum(1 for _, verdict in drawn if verdict)
    bad = [weight for weight, verdict in drawn if verdict == RoundVerdict.NOT_IN_ORDER]
    is_whole = looked_at == len(drawn)
    estimate = sum((rounds_represented(draw, weight) for weight in bad), Fraction(0)) if is_whole else None
    return SampleResults(len(drawn), looked_at, len(bad), draw.population, estimate)


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
