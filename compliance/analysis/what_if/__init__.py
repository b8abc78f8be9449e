"""Trials: rules tried over what was played: which settlements would be judged otherwise, and the money.

subjects.py  what can be tried: a version, one's own draft, the version in force read otherwise
services.py  asking for a trial, stopping it
planning.py  the stretches of the log that a trial looks at
trying.py    a worker judges one stretch after the other, under both rules;  tasks.py  the bell
summing.py   what came of it by table, box, player and clause
models.py    Trial, its Stretches, Differences and Sums;  states.py  what may follow what
selectors.py who may try and read;  forms.py, views/

A trial changes nothing that anybody is bound by, so it is no entry of the ledger: its row says who tried what and when,
taking a list of it away is a disclosure like any other, and its PDF is a report, which is an entry.
"""
