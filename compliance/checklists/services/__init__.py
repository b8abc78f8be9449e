"""What inspectors do. Each function is one act: one transaction, its entries last, a typed refusal.

sampling.py   a sample is seeded; once it is drawn, its rounds are looked at
drawing.py    it is drawn, at once or by workers
answering.py  a checklist is begun, its clauses are answered (a working paper: no entry), and it is signed off
"""

from compliance.checklists.services.answering import Answer, answer_clause, begin_checklist, sign_off_checklist
from compliance.checklists.services.drawing import ask_for_draw, ask_to_draw_again, draw_if_few, draw_sample
from compliance.checklists.services.sampling import check_round, seed_sample

__all__ = [
    "Answer",
    "answer_clause",
    "ask_for_draw",
    "ask_to_draw_again",
    "begin_checklist",
    "check_round",
    "draw_if_few",
    "draw_sample",
    "seed_sample",
    "sign_off_checklist",
]
