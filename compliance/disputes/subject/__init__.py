"""What a dispute is about.

disputed_entry.py      Subject: the disputed entry of the ledger
promotion_subject.py   an entry about a promotion as text
assessment.py          what the rules give for each wager of a round
"""
