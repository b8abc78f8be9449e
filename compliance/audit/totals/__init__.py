"""Totals of audited rounds: play by gaming day, table and bet (play_totals), money affected by each reading
(reading_impact), and their check for verify_ledger (verify).
"""
