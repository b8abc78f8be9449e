"""Computed from compiled rules: exact house edges, payout matrix (numpy), truth table with digest; and checks on
how odds are worded and which equipment a bet needs.
"""
