"""Claims of prizes: decided, paid as the winner chose, or denied with reasons given to the patron.

models.py      Claim, ClaimDecision, ReasonsTold, Payment: one ledger entry for each row
denials.py     which denials need name and address (NSW 10.10.1), and how long the notification took
services.py    record_claim, decide_claim, record_reasons_told, pay_prize
selectors.py   access_claim, the register of denied claims, denials not notified yet
pdf.py         letter to a claimant
forms.py, views/, entry_kinds.py, errors.py, urls.py, apps.py
"""
