"""Faults in what the casino's staff record: disputes, promotions, the log itself. Planted through the real services.

record_injector.py  registry of these injectors; CasinoRecords, which they work on
disputes.py promotions.py checkpoints.py   the injectors
plant_records.py    plants the chosen codes at a casino, once each

Expected findings are known by construction: nothing here asks the audit, or the engine what a wager was due.
"""
