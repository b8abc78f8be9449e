"""Use cases of disputes. Each locks the dispute, checks the role, applies the transition and appends its entry.

new_disputes.py           logging a dispute with its statement, wagers and files; drafts
decisions.py              decisions, made on the screen or recorded afterwards; patron notification; reviews
resolution.py             payments, advice of a right, withdrawal, closing
inspector_complaints.py   complaint to an inspector: notes, requests, outcome, letter
policies.py               service levels, and the operator's own procedure
reminders.py              alerts about overdue disputes and requests
steps.py                  writes a step: transition, entry and row
state_replay.py           the state of a dispute, computed from its steps
corrections.py            which steps can be withdrawn
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
from compliance.disputes.services.new_disputes import attach_file, discard_draft, log_dispute, record_matter, save_draft
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
    "record_matter",
    "record_patron_notification",
    "record_payment",
    "request_from_operator",
    "request_review",
    "save_draft",
    "set_own_procedure",
    "set_service_level",
    "withdraw_dispute",
]
