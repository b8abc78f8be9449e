"""Which rounds a seed draws: those with the smallest ticket hashes. Deterministic: only integers and hashes are
used, so every machine draws the same rounds."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from heapq import nsmallest
from typing import Any, NamedTuple

from compliance.audit.models import PackedRound
from compliance.inspection.checklists.models import Sample
from compliance.inspection.checklists.sampling.draw import DrawnRound, DrawResult, population_of
from compliance.inspection.checklists.sampling.weights import RoundWeigher, WeightedRounds

# Entries weighed in one step of a draw job.
ENTRIES_PER_STEP = 50_000
MAX_HASH = b"\xff" * 32


class Ticket(NamedTuple):
    """The smallest ticket of a round. `factors` are those of WeightedRounds."""

    sha256: bytes
    entry: int
    weight: int
    factors: int


@dataclass(frozen=True)
class PartialDraw:
    """Result after some of the rounds: the size + 1 smallest tickets, and the number of rounds of each weight. The
    additional ticket is the first left out, from which the inclusion probabilities follow.
    """

    smallest: tuple[Ticket, ...] = ()
    by_weight: Counter[int] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        return {
            "smallest": [[one.sha256.hex(), *one[1:]] for one in self.smallest],
            "by_weight": sorted(self.by_weight.items()),
        }

    @classmethod
    def from_json(cls, noted: dict[str, Any]) -> "PartialDraw":
        smallest = (Ticket(bytes.fromhex(sha256), *rest) for sha256, *rest in noted.get("smallest", ()))
        return cls(tuple(smallest), Counter(dict(noted.get("by_weight", ()))))

    def with_rounds(self, sample: Sample, weighed: WeightedRounds) -> "PartialDraw":
        count = sample.size + 1
        bound = self.smallest[-1].sha256 if len(self.smallest) == count else MAX_HASH
        smallest = nsmallest(count, [*self.smallest, *_tickets_up_to(bound, sample, weighed)])
        return PartialDraw(tuple(smallest), self.by_weight + Counter(weighed.weights.tolist()))

    def result_for(self, sample: Sample) -> DrawResult:
        drawn, left_out = self.smallest[: sample.size], self.smallest[sample.size :]
        return DrawResult(
            population=self.by_weight.total(),
            rounds=tuple(_drawn_rounds(sample, drawn)),
            by_weight=dict(self.by_weight),
            first_left_out=left_out[0].sha256.hex() if left_out else "",
        )


def draw_rounds(sample: Sample) -> DrawResult:
    """Draws in one call. Reads only and is deterministic."""
    population, weigher, so_far = population_of(sample), RoundWeigher(sample), PartialDraw()
    for first in range(population.first, population.last, ENTRIES_PER_STEP):
        so_far = so_far.with_rounds(sample, weigher.weigh(first, min(first + ENTRIES_PER_STEP, population.last)))
    return so_far.result_for(sample)


def smallest_ticket_hash(seed: str, index: int, weight: int) -> bytes:
    """In a weighted sample a round of weight w has w tickets, and ticket k is the SHA-256 of “seed/entry/k”.

    Rounds are drawn in the order of their smallest hash, so at each step every remaining round is drawn with
    probability in proportion to its weight.
    """
    begins = f"{seed}/{index}/"
    return min([sha256(f"{begins}{number}".encode()).digest() for number in range(1, weight + 1)])


def single_ticket_hash(seed: str, index: int) -> bytes:
    """In an unweighted sample each round has one ticket, the SHA-256 of “seed/entry”."""
    return sha256(f"{seed}/{index}".encode()).digest()


def _tickets_up_to(bound: bytes, sample: Sample, weighed: WeightedRounds) -> Iterator[Ticket]:
    seed, is_weighted = sample.seed, sample.is_weighted
    columns = (weighed.entries.tolist(), weighed.weights.tolist(), weighed.factors.tolist())
    for index, weight, factors in zip(*columns, strict=True):
        hashed = smallest_ticket_hash(seed, index, weight) if is_weighted else single_ticket_hash(seed, index)
        if hashed <= bound:
            yield Ticket(hashed, index, weight, factors)


def _drawn_rounds(sample: Sample, drawn: tuple[Ticket, ...]) -> Iterator[DrawnRound]:
    slugs = [one.factor.slug for one in sample.chosen_factors]
    packed = PackedRound.objects.filter(log=sample.log, entry_index__in=[one.entry for one in drawn])
    played = {one.entry_index: one for one in packed.only("entry_index", "table", "started_at")}
    for one in drawn:
        factors = tuple(slug for number, slug in enumerate(slugs) if one.factors >> number & 1)
        at = played[one.entry]
        yield DrawnRound(one.entry, at.table, at.started_at, one.weight, factors)
