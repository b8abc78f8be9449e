"""Closing a table and opening it again: the sign before it, the Super Streak variant, the officer who must be told.

models.py     Closure and what became of it;  states.py  that, as a table;  kinds.py  the entries
planning.py   what closing needs under the table's rules, from pack data;  errors.py  refusals
services.py   announce, close, close in an emergency, withdraw, re-open
play.py       what the log says of the table: open or closed, its last wagers, streak wagers that still run
reported.py   closings and openings that controllers report;  recorded.py  rows against entries;  tasks.py  follows
selectors.py, needs.py, forms.py, views.py, demo.py

That a table was closed or opened is recorded as the entry a controller would have sent; `origin` names the person.
"""
