"""Pages that combine many apps: home, search, floor, table, round.

models.py                TableState: last round and open state of each table, a projection of the log
table_state_consumer.py  ledger consumer that writes TableState, and its check against the log
tasks.py                 its Celery task
floor_status.py          every table as the floor page shows it
inbox.py                 tasks waiting for a person: one provider a subject
search.py                one search over everything a person may open
timeline/                log entries as text: one line an entry, everything about a round, a round step by step
views/                   home, search, floor, table and its timeline, round, replay
forms.py                 filters of these pages;  help_page.py  the help page
management/              the trace command
"""
