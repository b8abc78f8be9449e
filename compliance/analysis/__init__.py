"""Analyses on top of the audit.

fairness  statistical tests of dice and payouts; gives signals, never findings
what_if   a rule version applied to recorded history: what it would have changed
parquet   export of wagers and verdicts as Parquet files, and settlements recomputed from those files
"""
