"""Fairness: whether dice, shakers and tables give what chance gives. Signals, never findings: nothing is proved.

chance.py     tests of results: faces, totals, triples, what follows what
levels.py     how rare something must be, and when a subject is looked at
drift.py      what players got back against the exact average, Super Streak and cards included
subjects.py   which dice set, shaker and table played which rounds
examining.py  one gaming day: what is due, tested, signalled;  services.py  that somebody looked at a signal
models.py     Examination, Signal, SignalSeen: recorded; ReturnDay: derived
selectors.py  signals, and how each dice set and table stands;  pictures.py  their charts
trial.py      simulated dice, fair and loaded, through the same tests;  trial_returns.py  tables whose money leaks
views/        how everything stands, signals, what came back at a table
"""
