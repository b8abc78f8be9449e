"""Services for reviews. Each is one transaction that appends its entries last and raises typed refusals.

finding_claims.py  claim the next finding or a given one, release it (no entry: not a regulated act)
decisions.py       decide one finding, or a group
second_review.py   confirmation by a second reviewer
answers.py         the operator's answers;  reminders.py  alerts about overdue ones
comments.py        the operator's comments
expired_risks.py   reopens findings whose accepted risk expired
policies.py        review policy of a casino
"""

from compliance.inspection.reviews.services.answers import answer_question
from compliance.inspection.reviews.services.comments import comment_on_finding
from compliance.inspection.reviews.services.decisions import (
    MAX_ANSWER_TIME,
    DecisionInput,
    decide_finding,
    decide_group,
)
from compliance.inspection.reviews.services.expired_risks import reopen_expired_risks
from compliance.inspection.reviews.services.finding_claims import claim_finding, claim_next_finding, release_claim
from compliance.inspection.reviews.services.policies import set_review_policy
from compliance.inspection.reviews.services.reminders import remind_of_unanswered
from compliance.inspection.reviews.services.second_review import confirm_decision

__all__ = [
    "MAX_ANSWER_TIME",
    "DecisionInput",
    "answer_question",
    "claim_finding",
    "claim_next_finding",
    "comment_on_finding",
    "confirm_decision",
    "decide_finding",
    "decide_group",
    "release_claim",
    "remind_of_unanswered",
    "reopen_expired_risks",
    "set_review_policy",
]
