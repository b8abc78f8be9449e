"""What inspectors do. Each function is one act: one transaction, its entries last, a typed refusal.

sampling.py   a sample is seeded, then drawn, then its rounds are looked at
answering.py  a checklist is begun, its clauses are answered (a working paper: no entry), and it is signed off
"""

from compliance.checklists.services.answering import Answer, answer_clause, begin_checklist, sign_off_checklist
from compliance.checklists.services.sampling import check_round, draw_sample, seed_sample

__all__ = [
    "Answer",
    "answer_clause",
    "begin_checklist",
    "check_round",
    "draw_sample",
    "seed_sample",
    "sign_off_checklist",
]
