"""verify_ledger: reads a log again and checks entries, tree, checkpoints, rows, projections, epochs and database
guards.
"""
