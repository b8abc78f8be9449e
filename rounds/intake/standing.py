"""Which roles may enter and confirm rounds from paper. Refused lines are read by whoever may read the floor."""

from compliance.accounts.roles import Role

MAY_ENTER_PAPER = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
