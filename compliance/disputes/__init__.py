"""Disputes:
from the patron's complaint to the last rung of the decision ladder, with the settlement already worked out.

ladder/          who decides on which rung (from the rule pack); states and transitions
subject/         the disputed entry, a promotion as text, and what the rules give for each wager
models/          Dispute, Step, wagers, statement, files, inspector's notes, service levels, drafts
entry_bodies.py  schemas of the steps
entry_kinds.py   ledger entry kinds
services/        every use case; steps.py writes a step with its entry
deadlines.py     how long each wait may last
attachments.py   uploaded files: checked by content, stored by digest
permissions.py   which roles may do what
selectors.py     reads; access_dispute
verify.py        verifiers of dispute states, notes and files
text.py          steps as text
pdf/             dispute file and letter
views/           pages
forms.py         their forms
help_page.py     help page
errors.py        refusals
tasks.py         Celery tasks: reminders, deletion of old drafts
demo.py          disputes of the demo
"""
