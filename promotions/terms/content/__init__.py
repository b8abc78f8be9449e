"""Terms as values, without the database.

terms.py            Terms: answers by item of the rule pack, and prizes
labels.py           titles of the items
prize_rules.py      types of prizes, their details, prohibited prizes
completeness.py     what is missing or contradictory, each with its clause
filing_deadline.py  the latest time to file
text.py             the terms as patrons read them
diff.py             two versions side by side
"""
