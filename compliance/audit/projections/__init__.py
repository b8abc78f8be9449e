"""Projections of the ledger that the audit reads.

rounds.py           writes and verifies PackedRound: rounds as binary columns
bulk_read.py        reads PackedRound in bulk, for numpy
timeline_events.py  writes and verifies TimelineEvent: other entries by table, kind and time
later_decisions.py  writes, verifies and reads VoidedRound: decisions made about rounds afterwards
"""
