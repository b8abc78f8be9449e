"""feed.py: batches, refused lines, the state of feeds.  signatures.py: those refused.  paper.py: rounds from paper."""

from rounds.intake.models.feed import Batch, DealtWith, Feed, Quarantined, QuarantinedQuerySet
from rounds.intake.models.paper import PaperRound, PaperState
from rounds.intake.models.signatures import RefusedSignatures, UnknownKeys

__all__ = [
    "Batch",
    "DealtWith",
    "Feed",
    "PaperRound",
    "PaperState",
    "Quarantined",
    "QuarantinedQuerySet",
    "RefusedSignatures",
    "UnknownKeys",
]
