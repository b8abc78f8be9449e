"""samples.py: rounds drawn by chance, looked at one by one. drawings.py: how far a draw has come. clauses.py: a rule
document answered clause by clause."""

from compliance.inspection.checklists.models.checklists import Checklist, ClauseAnswer, DraftAnswer, SignOff
from compliance.inspection.checklists.models.draw_jobs import DrawJob
from compliance.inspection.checklists.models.samples import Draw, RoundCheck, Sample, SampledRound

__all__ = [
    "Checklist",
    "ClauseAnswer",
    "DraftAnswer",
    "Draw",
    "DrawJob",
    "RoundCheck",
    "Sample",
    "SampledRound",
    "SignOff",
]
