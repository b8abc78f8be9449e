"""Services that write limits.

notices.py      schedule a change, withdraw it
transitions.py  state changes over time: sign up, in force, lapsed
players.py      limits of one player, warnings under the minimum
"""

from compliance.tables.limit_notices.services.notices import schedule_notice, withdraw_notice
from compliance.tables.limit_notices.services.players import end_player_limit, set_player_limit, warn_player
from compliance.tables.limit_notices.services.transitions import advance_notice, advance_notices

__all__ = [
    "advance_notice",
    "advance_notices",
    "end_player_limit",
    "schedule_notice",
    "set_player_limit",
    "warn_player",
    "withdraw_notice",
]
