"""The inspector's work: every finding reviewed once, decided by a person, and proved.

outcomes.py   what can be decided, for which reasons;  states.py  where a review stands, and what may follow what
models.py     Review (current state), Decision, Confirmation, Answer, Reopening, Arrangement (entries of the ledger)
following.py  reviews are opened by following the log;  causes.py  what findings have in common
services/     claiming, deciding (alone and together), answering, reopening, arranging
reperforming.py  a finding recomputed from raw entries, and tried under another reading
rounds.py     the round behind a finding: wagers, events, the timeline drawn to scale
selectors.py, forms.py, views/, tasks.py, guide.py  what people see of it, and when it is done

An inspector's note never enters a leaf: the entry carries its salted digest, because operators read the ledger too.
"""
