"""Roles that may enter and confirm rounds from paper; thresholds of the feeds page.

Quarantined lines are visible to the roles in `rounds.floor.permissions.MAY_READ`.
"""

from datetime import timedelta

from compliance.core.accounts.roles import Role

MAY_ENTER_PAPER = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
MAX_CLOCK_SKEW = timedelta(seconds=2)
UNKNOWN_KEYS_WINDOW = timedelta(days=1)
