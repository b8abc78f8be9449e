"""Rare operations on a log.

rotate_key.py   replace the signing key of every log
halt.py         make a log read-only after a restore or when signed entries are missing
epochs.py       let a halted log continue under a new origin, with an entry that says what was lost
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
