"""Closing a table and opening it again, with the sign that must be up before and the officer who must be notified.

models.py          Closure and ClosureStep;  states.py  the state machine
closing_rules.py   what closing needs under the table's rules, from pack data
services/          closings.py: announce, close, close in an emergency, withdraw, reopen; corrections.py
table_activity.py  what the log says of a table: open or closed, recent rounds, open streak wagers
consumer.py        consumer of closings and openings that controllers report;  tasks.py  runs it
selectors.py       queries;  todo_items.py  to-do items and display facts for the pages of tables
pages/             views and forms
verify.py          compares rows with their entries;  entry_kinds.py  the entries
errors.py, urls.py, apps.py, demo.py

A person's closing or opening is recorded as the entry that a controller would have sent; `origin` names the person.
"""
