"""Every act on a dispute. Each locks it, checks who may, moves it by the table of states, and appends its entry.

logging.py     a dispute logged, with its statement, wagers and files; drafts
deciding.py    decisions, made on the screen or written down afterwards; telling the patron; reviews
settling.py    money, advice of a right, withdrawing, closing
inspecting.py  the complaint to an inspector: notes, requests, outcome, letter
levels.py      service levels, and the operator's own procedure
"""

from compliance.disputes.services.decisions import (
    decide_dispute,
    record_decision,
    record_patron_notification,
    request_review,
)
from compliance.disputes.services.inspector_complaints import (
    add_inspector_note,
    answer_request,
    determine_complaint,
    issue_letter,
    record_complaint,
    request_from_operator,
)
from compliance.disputes.services.new_disputes import attach_file, discard_draft, log_dispute, save_draft
from compliance.disputes.services.policies import set_own_procedure, set_service_level
from compliance.disputes.services.resolution import advise_patron, close_dispute, record_payment, withdraw_dispute

__all__ = [
    "add_inspector_note",
    "advise_patron",
    "answer_request",
    "attach_file",
    "close_dispute",
    "decide_dispute",
    "determine_complaint",
    "discard_draft",
    "issue_letter",
    "log_dispute",
    "record_complaint",
    "record_decision",
    "record_patron_notification",
    "record_payment",
    "request_from_operator",
    "request_review",
    "save_draft",
    "set_own_procedure",
    "set_service_level",
    "withdraw_dispute",
]
