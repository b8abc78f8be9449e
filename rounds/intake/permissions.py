"""Who may enter and confirm rounds from paper, and how far a clock may be off before it is called wrong.

Refused lines are read by whoever may read the floor.
"""

from datetime import timedelta

from compliance.core.accounts.roles import Role

MAY_ENTER_PAPER = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
MAX_CLOCK_SKEW = timedelta(seconds=2)
UNKNOWN_KEYS_WINDOW = timedelta(days=1)
