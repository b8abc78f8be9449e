"""Analyses on top of the audit: fairness (statistics of dice and payouts), what_if (rules applied to history),
parquet (export of wagers and verdicts).
"""
