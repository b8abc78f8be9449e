"""Draws of a promotion: scheduled, held, stopped for integrity, validated; winners and their notification in time.

states.py                 state machine of a draw
models.py                 Draw, DrawStep, Winner, Attempt, Publication: one ledger entry for each row
services/                 draws.py schedule, hold, stop, validate; winners.py winners, attempts, publications
selectors.py              access_*, winners not notified yet
notification_deadline.py  by when a winner must be notified (NSW 10.8), and whether an attempt was in time
filed_terms.py            how a draw was held, compared with the terms as filed
forms.py, views/, entry_kinds.py, urls.py, apps.py
"""
