"""Models of intake.

feed.py                  Batch, Quarantined, QuarantineResolution, Feed
rejected_signatures.py   RefusedSignatures, UnknownKeys: counters of rejected batches
paper_round.py           PaperRound
"""

from rounds.intake.models.feed import Batch, Feed, Quarantined, QuarantinedQuerySet, QuarantineResolution
from rounds.intake.models.paper_round import PaperRound, PaperState
from rounds.intake.models.rejected_signatures import RefusedSignatures, UnknownKeys

__all__ = [
    "Batch",
    "Feed",
    "PaperRound",
    "PaperState",
    "QuarantineResolution",
    "Quarantined",
    "QuarantinedQuerySet",
    "RefusedSignatures",
    "UnknownKeys",
]
