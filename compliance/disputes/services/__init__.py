"""Every act on a dispute. Each locks it, checks who may, moves it by the table of states, and appends its entry.

logging.py     a dispute logged, with its statement, wagers and files; drafts
deciding.py    decisions, made on the screen or written down afterwards; telling the patron; reviews
settling.py    money, advice of a right, withdrawing, closing
inspecting.py  the complaint to an inspector: notes, requests, outcome, letter
levels.py      service levels, and the operator's own procedure
"""

from compliance.disputes.services.deciding import decide_dispute, record_decision, request_review, tell_patron
from compliance.disputes.services.inspecting import (
    answer_request,
    ask_operator,
    complain_to_inspector,
    determine_complaint,
    issue_letter,
    note_complaint,
)
from compliance.disputes.services.levels import set_service_level, state_own_procedure
from compliance.disputes.services.logging import attach_file, discard_draft, log_dispute, save_draft
from compliance.disputes.services.settling import advise_patron, close_dispute, record_payment, withdraw_dispute

__all__ = [
    "advise_patron",
    "answer_request",
    "ask_operator",
    "attach_file",
    "close_dispute",
    "complain_to_inspector",
    "decide_dispute",
    "determine_complaint",
    "discard_draft",
    "issue_letter",
    "log_dispute",
    "note_complaint",
    "record_decision",
    "record_payment",
    "request_review",
    "save_draft",
    "set_service_level",
    "state_own_procedure",
    "tell_patron",
    "withdraw_dispute",
]
