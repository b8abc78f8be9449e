"""Writes entries.

append.py         append, correct, open_log; the lock on the log's head
batch_append.py   group commit: concurrent requests of one process share a transaction
ledger_rows.py    LedgerModel and write_row: a row written together with its entry
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
