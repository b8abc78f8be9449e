"""Totals of audited rounds.

play_totals.py            stakes and returns by gaming day, table and bet, with the average return and the variance
clause_reading_impact.py  wagers and money that another choice of a reading would change
verify.py                 compares the stored totals with the rounds, for `verify_ledger`
"""
