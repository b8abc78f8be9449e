"""Calculator "What would this pay?": settles one wager. Supervisors use it on a tablet at the table.

available_rules.py   the rules to choose from: the casino's approved versions, or the shipped packs if it has none
calculation.py       which circumstances a document knows, its boxes, and the settlement with alternative readings
forms.py             the form, sent by GET so that an answer has a URL
question_link.py     the URL that fills in one wager
answer.py            an answer prepared for the template;  views.py  the page
"""
