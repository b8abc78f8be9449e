"""What people do with findings. Each function is one act: one transaction, its entries last, a typed refusal.

claiming.py   take the next one, take this one, put it back (who works on what is no regulated act: no entry)
deciding.py   decide one, decide many together
seconding.py  a second reviewer agrees or does not
answering.py  the operator answers what was asked;  reminding.py  or does not
reopening.py  accepted risks whose time is over
arranging.py  how findings of a casino are to be reviewed
"""

from compliance.reviews.services.answering import answer_question
from compliance.reviews.services.arranging import arrange_reviews
from compliance.reviews.services.claiming import claim_finding, claim_next, put_back
from compliance.reviews.services.deciding import Decided, decide_finding, decide_together
from compliance.reviews.services.reminding import remind_of_unanswered
from compliance.reviews.services.reopening import reopen_accepted
from compliance.reviews.services.seconding import confirm_decision

__all__ = [
    "Decided",
    "answer_question",
    "arrange_reviews",
    "claim_finding",
    "claim_next",
    "confirm_decision",
    "decide_finding",
    "decide_together",
    "put_back",
    "remind_of_unanswered",
    "reopen_accepted",
]
