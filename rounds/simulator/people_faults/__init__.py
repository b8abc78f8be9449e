"""Faults in what the casino's staff record, planted through the real services: disputes, conduct, promotions, the log.

record_injector.py  registry of these injectors; CasinoRecords, which they work on
disputes.py conduct.py promotions.py checkpoints.py   the injectors
further_clauses.py  clauses that a fault violates besides the one that its finding cites
plant_records.py    plants the chosen codes at a casino, once each

Expected findings are known by construction: nothing here asks the audit, or the engine what a wager was due.
"""
