"""What inspectors do. Each function is one act: one transaction, its entries last, a typed refusal.

sampling.py   a sample is seeded; once it is drawn, its rounds are looked at
drawing.py    it is drawn, at once or by workers
answering.py  a checklist is begun, its clauses are answered (a working paper: no entry), and it is signed off
"""

from compliance.inspection.checklists.services.checklists import (
    Answer,
    answer_clause,
    begin_checklist,
    sign_off_checklist,
)
from compliance.inspection.checklists.services.draws import draw_if_small, draw_sample, request_draw, request_redraw
from compliance.inspection.checklists.services.samples import record_round_check, seed_sample

__all__ = [
    "Answer",
    "answer_clause",
    "begin_checklist",
    "draw_if_small",
    "draw_sample",
    "record_round_check",
    "request_draw",
    "request_redraw",
    "seed_sample",
    "sign_off_checklist",
]
