"""feed.py: batches, refused lines, the state of feeds.  paper.py: rounds that people entered from paper."""

from rounds.intake.models.feed import Batch, DealtWith, Feed, Quarantined, QuarantinedQuerySet, RefusedSignatures
from rounds.intake.models.paper import PaperRound, PaperState

__all__ = [
    "Batch",
    "DealtWith",
    "Feed",
    "PaperRound",
    "PaperState",
    "Quarantined",
    "QuarantinedQuerySet",
    "RefusedSignatures",
]
