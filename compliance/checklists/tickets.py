"""Which rounds a seed draws where some weigh more: each round has as many tickets as it weighs.

Ticket k of a round is the SHA-256 of “seed/entry/k”. Tickets are taken in the order of their hashes, and a round is
drawn with its first: so at every turn each round that is left is drawn with a chance in proportion to its weight. Whole
numbers and hashes alone, so that every machine draws the same.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from heapq import nsmallest

from compliance.checklists.drawing import Drawn, DrawnRound, draw_alike
from compliance.checklists.models import Sample
from compliance.checklists.weighing import Weighed, weigh_rounds


def draw_rounds(sample: Sample) -> Drawn:
    """Reads only: the same sample draws the same rounds whenever it is asked."""
    return _draw_weighted(sample) if sample.is_weighted else draw_alike(sample)


def first_ticket(seed: str, index: int, weight: int) -> bytes:
    """The smallest hash of the round's tickets."""
    return min(sha256(f"{seed}/{index}/{number}".encode()).digest() for number in range(1, weight + 1))


def _draw_weighted(sample: Sample) -> Drawn:
    by_weight: Counter[int] = Counter()

    def tickets() -> Iterator[tuple[bytes, int, Weighed]]:
        for one in weigh_rounds(sample):
            by_weight[one.weight] += 1
            yield first_ticket(sample.seed, one.index, one.weight), one.index, one

    # One more than is wanted: the first that is left out tells how likely each was to be drawn.
    *drawn, last = nsmallest(sample.size + 1, tickets(), key=lambda ticket: ticket[:2])
    left_out = ""
    if len(drawn) == sample.size:
        left_out = last[0].hex()
    else:
        drawn.append(last)
    rounds = tuple(DrawnRound(one.index, one.table, one.started_at, one.weight, one.factors) for *_, one in drawn)
    return Drawn(by_weight.total(), rounds, dict(by_weight), left_out)
