"""Transparency log: pure functions over bytes, without Django, a database or a clock.

The ledger, the witness, the simulator and the offline verifiers share it, so that a program outside the service
can read and check a log. Other packages import `rounds.transparency_log.errors` and the names in the `__init__.pyi` of
each sub-package; `rounds.ledger`, which stores logs in PostgreSQL, also imports the modules inside.

formats/    byte formats: leaf, strict JSON, signed notes, cosignatures, proof files, salted digests
tree/       the RFC 6962 Merkle tree and its tiles
offline/    the programs that check evidence offline: standard library only, implemented separately from the two above
errors.py   LedgerError and its subclasses: a code, a field, a sentence
"""
