"""What people do with draws and winners. Each act is an entry of the casino's log."""

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
