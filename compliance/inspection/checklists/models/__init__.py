"""Models of samples and checklists.

samples.py     samples, draws, and checks of sampled rounds
draw_jobs.py   progress of a draw
checklists.py  checklists, answers, sign-off
"""

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
