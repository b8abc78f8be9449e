"""Every act on limits.

notices.py  schedule a change, withdraw it
moving.py   what the clock brings: sign up, in force, lapsed
players.py  limits of one player, warnings under the minimum
"""

from compliance.notices.services.moving import advance_notice, advance_notices
from compliance.notices.services.notices import schedule_notice, withdraw_notice
from compliance.notices.services.players import allow_player, end_player_limit, warn_player

__all__ = [
    "advance_notice",
    "advance_notices",
    "allow_player",
    "end_player_limit",
    "schedule_notice",
    "warn_player",
    "withdraw_notice",
]
