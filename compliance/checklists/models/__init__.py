"""samples.py: rounds drawn by chance, looked at one by one. drawings.py: how far a draw has come. clauses.py: a rule
document answered clause by clause."""

from compliance.checklists.models.clauses import Checklist, ClauseAnswer, DraftAnswer, SignOff
from compliance.checklists.models.drawings import Drawing
from compliance.checklists.models.samples import Draw, RoundCheck, Sample, SampledRound

__all__ = [
    "Checklist",
    "ClauseAnswer",
    "DraftAnswer",
    "Draw",
    "Drawing",
    "RoundCheck",
    "Sample",
    "SampledRound",
    "SignOff",
]
