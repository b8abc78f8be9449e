"""Review of findings: each is reviewed by a person, whose decision is recorded in the ledger.

models.py          Review (current state); Decision, Confirmation, Answer, Comment, Reopening, ReviewPolicy
states.py          state machine of a review;  outcomes.py  possible decisions and their reasons
consumer.py        consumer that opens a review for each finding;  finding_causes.py  what findings have in common
services/          claim, decide, confirm, answer, comment, reopen, set policies;  tasks.py  periodic work
recheck.py         evaluates a finding again from raw entries, also under other readings
finding_round.py   the round of a finding: wagers, events, timeline
finding_notes.py   what the pages and lists of records show of the findings about them
selectors.py       permissions and queries;  views/  pages, forms and help page
verify.py          compares rows with their entries;  entry_kinds.py, errors.py, urls.py, apps.py

An inspector's note is never in an entry, only its salted digest, because operators read the ledger too.
"""
