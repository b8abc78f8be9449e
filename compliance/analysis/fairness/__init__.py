"""Fairness: statistical tests of whether dice, shakers and tables give what chance gives.

A test below its significance level gives a signal, never a finding: it proves nothing.

statistics/     the tests of dice and money, and their significance levels
examination/    the daily examination: tests what is due, records signals, stores daily returns
simulation/     simulated fair and unfair dice and tables, run through the same tests
subjects.py     which dice set, shaker and table played which rounds
models.py       Examination, Signal, SignalAcknowledgement (ledger records); LastTest, DailyReturn (derived)
services.py     acknowledge a signal;  corrections.py  an acknowledgement can be withdrawn
selectors.py    read access to signals, last tests and the status of each subject
charts.py       charts of signals and returns
tasks.py        the Celery task
views/          pages;  forms.py, errors.py, help_page.py, entry_kinds.py, urls.py
management/     commands `fairness_trial` and `rebuild_fairness`
"""
