"""What people do with findings. Each function is one act: one transaction, its entries last, a typed refusal.

claiming.py   take the next one, take this one, put it back (who works on what is no regulated act: no entry)
deciding.py   decide one, decide many together
seconding.py  a second reviewer agrees or does not
answering.py  the operator answers what was asked;  reminding.py  or does not
reopening.py  accepted risks whose time is over
arranging.py  how findings of a casino are to be reviewed
"""

from compliance.inspection.reviews.services.answers import answer_question
from compliance.inspection.reviews.services.decisions import DecisionInput, decide_finding, decide_group
from compliance.inspection.reviews.services.expired_risks import reopen_expired_risks
from compliance.inspection.reviews.services.finding_claims import claim_finding, claim_next_finding, release_claim
from compliance.inspection.reviews.services.policies import set_review_policy
from compliance.inspection.reviews.services.reminders import remind_of_unanswered
from compliance.inspection.reviews.services.second_review import confirm_decision

__all__ = [
    "DecisionInput",
    "answer_question",
    "claim_finding",
    "claim_next_finding",
    "confirm_decision",
    "decide_finding",
    "decide_group",
    "release_claim",
    "remind_of_unanswered",
    "reopen_expired_risks",
    "set_review_policy",
]
