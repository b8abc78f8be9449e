"""The roles of the product, each held at a casino. Rule packs map them to the terms of their legal document."""

from django.db.models import TextChoices


class Role(TextChoices):
    INSPECTOR = "inspector", "Inspector"
    AUTHORITY_OFFICER = "authority-officer", "Authority officer"
    CASINO_SUPERVISOR = "casino-supervisor", "Casino supervisor"
    GAMES_SUPERVISOR = "games-supervisor", "Games supervisor"
    SHIFT_MANAGER = "shift-manager", "Shift manager"
    MARKETING = "marketing", "Marketing"
    COMPLIANCE_OFFICER = "compliance-officer", "Compliance officer"
    ADMINISTRATOR = "administrator", "Administrator"
    GOVERNMENT_ADMINISTRATOR = "government-administrator", "Government administrator"


# Government's users who read and decide. Its administrators manage accounts and nothing else.
GOVERNMENT_ROLES = frozenset({Role.INSPECTOR, Role.AUTHORITY_OFFICER})
# Nobody holds roles of both sides at the same time; the database enforces it (migration 0006).
GOVERNMENT_SIDE = GOVERNMENT_ROLES | {Role.GOVERNMENT_ADMINISTRATOR}
CASINO_SIDE = frozenset(Role) - GOVERNMENT_SIDE
# The roles that each administrator gives and ends.
ADMINISTERED_ROLES = {Role.ADMINISTRATOR: CASINO_SIDE, Role.GOVERNMENT_ADMINISTRATOR: GOVERNMENT_SIDE}
# Administrators manage accounts and nothing else.
MAY_SEE_PATRONS = frozenset(Role) - ADMINISTERED_ROLES.keys()
ALL_ROLES = frozenset(Role)


def side_of(role: str) -> frozenset[Role]:
    return GOVERNMENT_SIDE if role in GOVERNMENT_SIDE else CASINO_SIDE


def administrator_of(role: str) -> Role:
    """The role that gives and ends this one."""
    return Role.GOVERNMENT_ADMINISTRATOR if role in GOVERNMENT_SIDE else Role.ADMINISTRATOR
