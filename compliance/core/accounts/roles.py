"""The product's roles. Each is held per casino; rule packs map them to their document's own words."""

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


GOVERNMENT_ROLES = frozenset({Role.INSPECTOR, Role.AUTHORITY_OFFICER})
# Everyone who approves, decides or inspects; administrators because they give those roles.
NEEDS_SECOND_FACTOR = frozenset(Role) - {Role.MARKETING}
# Administrators keep accounts and nothing else.
MAY_SEE_PATRONS = frozenset(Role) - {Role.ADMINISTRATOR}
ALL_ROLES = frozenset(Role)
