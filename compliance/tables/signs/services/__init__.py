"""Services that write signs and displays.

displays.py    add a display with its secret link, end one
signs.py       make and end a sign, confirm that it is up, take it down
heartbeats.py  refreshes of displays, and signs lost when a display goes silent
movements.py   shared: a sign went up or down, as a row and its entry
corrections.py showings and removals that can be withdrawn
"""

from compliance.tables.signs.services.displays import NewDisplay, add_display, end_display
from compliance.tables.signs.services.heartbeats import record_lost_signs, refresh_display
from compliance.tables.signs.services.signs import confirm_sign, end_sign, make_sign, take_down_sign

__all__ = [
    "NewDisplay",
    "add_display",
    "confirm_sign",
    "end_display",
    "end_sign",
    "make_sign",
    "record_lost_signs",
    "refresh_display",
    "take_down_sign",
]
