"""Claims of prizes: decided, paid as the winner chose, or denied with reasons that the patron is told.

models.py     Claim, ClaimDecision, ReasonsTold, Payment: each row one entry
denials.py    which denials are kept with name and address (NSW 10.10.1), and how long the telling took
services.py   record_claim, decide_claim, record_telling, pay_prize
selectors.py  access_claim, the register of denied claims, denials that nobody was told of
printing.py   the letter to a claimant;  exporting.py  the register as CSV
"""
