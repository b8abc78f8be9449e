"""Services that write closings.

closings.py     announce, close, close in an emergency, withdraw, reopen
corrections.py  closings and openings that can be withdrawn
"""

from compliance.tables.closures.services.closings import (
    announce_closure,
    close_in_emergency,
    close_table,
    lock_closure,
    record_step,
    reopen_table,
    withdraw_closure,
)

__all__ = [
    "announce_closure",
    "close_in_emergency",
    "close_table",
    "lock_closure",
    "record_step",
    "reopen_table",
    "withdraw_closure",
]
