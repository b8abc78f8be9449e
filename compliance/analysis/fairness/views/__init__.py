"""Pages of fairness.

overview.py  status of every dice set, shaker and table
signals.py   signals, their charts, and their acknowledgement
returns.py   money returned at a table
common.py    access, number formats, chart table
"""
