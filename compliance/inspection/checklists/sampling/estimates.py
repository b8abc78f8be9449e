"""What a sample says about all rounds it was drawn from, each round counted for as many as it stands for.

A round of weight w is drawn exactly if one of its w tickets hashes below t, the smallest hash that was left out. That
has the chance 1 - (1 - t)^w, and the round counts for one divided by it (Horvitz and Thompson; for t, Cohen and Kaplan:
bottom-k sketches). Counted so, samples come out right on average, whatever the weights.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.models import Draw

HASH_SPACE = 2**256


@dataclass(frozen=True)
class SampleResults:
    """What came of a sample so far. `estimate` is out of all rounds; None until every round drawn was looked at."""

    drawn: int
    looked_at: int
    not_in_order: int
    population: int
    estimate: Fraction | None

    @property
    def estimated_share(self) -> Fraction | None:
        return None if self.estimate is None else min(self.estimate / self.population, Fraction(1))


def summarize_results(draw: Draw, verdicts: Iterable[tuple[int, str]]) -> SampleResults:
    """Of each round drawn its weight, and its verdict if somebody looked at it."""
    drawn = list(verdicts)
    looked_at = sum(1 for _, verdict in drawn if verdict)
    bad = [weight for weight, verdict in drawn if verdict == RoundVerdict.NOT_IN_ORDER]
    is_whole = looked_at == len(drawn)
    estimate = sum((rounds_represented(draw, weight) for weight in bad), Fraction(0)) if is_whole else None
    return SampleResults(len(drawn), looked_at, len(bad), draw.population, estimate)


def rounds_represented(draw: Draw, weight: int) -> Fraction:
    """For how many rounds one of this weight stands."""
    if len(draw.rounds) == draw.population:
        return Fraction(1)
    if draw.weighed is None:
        return Fraction(draw.population, len(draw.rounds))
    return 1 / inclusion_probability(draw.weighed["first_left_out_sha256"], weight)


def inclusion_probability(first_left_out: str, weight: int) -> Fraction:
    """The chance that a round of this weight had of being drawn, given the first that was left out."""
    above = HASH_SPACE - int(first_left_out, 16)
    return 1 - Fraction(above**weight, HASH_SPACE**weight)
