"""The daily examination of a casino.

daily_examination.py  tests the subjects that are due on a gaming day and records examination and signals
daily_returns.py      money returned on a day against the average, and the test of it over a month
rebuild.py            rebuilds the derived rows: returns and last tests
"""
