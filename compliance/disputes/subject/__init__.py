"""What a dispute is about.

disputed_entry.py      Subject: the disputed entry of the ledger
subject_text.py        an entry about a promotion, or a matter that staff described, as text
assessment.py          what the rules give for each wager of a round
plausible_amounts.py   doubts about the amount of a decision or payment
"""
