"""Pages of trials.

requests.py  request, cancel, retry and repeat a trial
results.py   list of trials, one trial with progress and results, its differences
common.py    access rules
"""
