"""Projections of the ledger that the audit reads: rounds as columns (rounds, bulk_read), other entries by table
and time (timeline_events), decisions made about rounds afterwards (later_decisions).
"""
