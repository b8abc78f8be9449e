"""Pages of trials.

requests.py  request, stop and repeat a trial
results.py   list of trials, one trial with progress and results, its differences
common.py    URLs and access rules
"""
