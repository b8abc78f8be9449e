"""feed.py: batches, refused lines, the state of feeds.  signatures.py: those refused.  paper.py: rounds from paper."""

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
