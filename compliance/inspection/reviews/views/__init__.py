"""Pages of reviews.

queue.py      the queue and claims
finding.py    one finding;  decisions.py  deciding and confirming
groups.py     findings with a common cause, decided together
questions.py  questions to the operator, answers, and what operators see of a review
comments.py   comments of the operator's staff
policies.py   review policy
finding_notes.py  findings about a record, for the pages of other apps
forms.py      forms;  common.py  shared helpers;  help_page.py  the help page
"""
