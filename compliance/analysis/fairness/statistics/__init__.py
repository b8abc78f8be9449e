"""The statistics of fairness.

dice_tests.py    tests of dice results against fair dice
payout_drift.py  money returned against the exact average, and its test
significance.py  significance levels, and after how many rounds a subject is tested
"""
