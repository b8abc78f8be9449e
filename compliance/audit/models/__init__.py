"""Models of the audit.

findings.py     Coverage, Finding, ReadingCase, ReadingImpact, and Block, the work list
background_predictions.py  BackgroundPrediction, a job, and its parts
record_findings.py  SQL that finds the findings about records
confirmed_warnings.py  ConfirmedWarning: acts recorded in spite of a warning
projections.py  projections of the ledger: PackedRound, OpenedStreak, VoidedRound, TimelineEvent, DailyTotals
"""

from compliance.audit.models.background_predictions import BackgroundPrediction, PredictedPart
from compliance.audit.models.confirmed_warnings import ConfirmedWarning
from compliance.audit.models.findings import (
    BLOCK_ENTRIES,
    Block,
    BlockQuerySet,
    Coverage,
    Finding,
    FindingQuerySet,
    ReadingCase,
    ReadingImpact,
    SupersededFinding,
    superseded_between,
)
from compliance.audit.models.projections import (
    DailyBetTotals,
    DailyTotals,
    OpenedStreak,
    PackedRound,
    TimelineEvent,
    VoidedRound,
    WagerCategory,
)

__all__ = [
    "BLOCK_ENTRIES",
    "BackgroundPrediction",
    "Block",
    "BlockQuerySet",
    "ConfirmedWarning",
    "Coverage",
    "DailyBetTotals",
    "DailyTotals",
    "Finding",
    "FindingQuerySet",
    "OpenedStreak",
    "PackedRound",
    "PredictedPart",
    "ReadingCase",
    "ReadingImpact",
    "SupersededFinding",
    "TimelineEvent",
    "VoidedRound",
    "WagerCategory",
    "superseded_between",
]
