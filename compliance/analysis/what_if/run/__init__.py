"""Running a trial.

plan.py    the entry ranges that a trial covers
worker.py  evaluates one range after the other under both rules
totals.py  totals of a finished trial
"""
