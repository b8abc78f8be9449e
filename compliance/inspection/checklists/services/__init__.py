"""Services for inspectors. Each is one transaction that appends its entries last and raises typed refusals.

samples.py     seed a sample, check its rounds
draws.py       draw it, at once or by workers
checklists.py  begin a checklist, answer clauses (no entry), sign it off
"""

from compliance.inspection.checklists.services.checklists import (
    GivenAnswer,
    answer_clause,
    answer_clauses,
    begin_checklist,
    sign_off_checklist,
)
from compliance.inspection.checklists.services.draws import cancel_draw, draw_if_small, draw_sample, request_draw
from compliance.inspection.checklists.services.samples import record_round_check, seed_sample

__all__ = [
    "GivenAnswer",
    "answer_clause",
    "answer_clauses",
    "begin_checklist",
    "cancel_draw",
    "draw_if_small",
    "draw_sample",
    "record_round_check",
    "request_draw",
    "seed_sample",
    "sign_off_checklist",
]
