"""Verifiers for verify_ledger.

dispute_state.py     the state of a dispute, recomputed from its steps
notes_and_files.py   inspectors' notes and attached files, and the registration of all three
"""
