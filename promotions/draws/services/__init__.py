"""Services for draws and winners. Each appends an entry to the casino's log.

draws.py    schedule, hold, stop, validate
winners.py  winners, attempts to reach them, publications
"""

from promotions.draws.services.draws import hold_draw, schedule_draw, stop_draw, validate_draw
from promotions.draws.services.winners import publish_results, record_attempt, record_winner

__all__ = [
    "hold_draw",
    "publish_results",
    "record_attempt",
    "record_winner",
    "schedule_draw",
    "stop_draw",
    "validate_draw",
]
