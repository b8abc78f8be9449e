"""Signs at tables: what they state, when they were up, and the evidence for it. Used by limit_notices and closures.

models.py        Display, Sign, Showing (an unbroken interval of being up), Refresh (a display's heartbeat)
sign_clock.py    pure: how long a sign has been up, computed from stored times
services/        displays.py, signs.py, heartbeats.py, movements.py, corrections.py
consumer.py      consumer of signs that controllers report;  tasks.py  runs it and detects silent displays
presentation/    text of a sign, its PDF, and table_hooks.py: the registry for to-do items, actions and display facts
permissions.py   roles that may act, by the rule pack's job titles;  selectors.py  queries
verify.py        compares rows with their entries;  verify_ended_rows.py  the same for rows that an entry ends
views/           board, one table, the display itself, actions;  forms.py
entry_kinds.py, errors.py, help_page.py, urls.py, apps.py, demo.py

A sign confirmed by a person or display is recorded as the entry a controller would have sent: `sign-shown` and
`sign-removed`, without controller and sequence, with `origin` stating the source. So one audit check covers all.
"""
