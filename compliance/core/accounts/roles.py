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


GOVERNMENT_ROLES = frozenset({Role.INSPECTOR, Role.AUTHORITY_OFFICER})
# Everybody who approves, decides or inspects; administrators because they give those roles.
NEEDS_SECOND_FACTOR = frozenset(Role) - {Role.MARKETING}
# Administrators manage accounts and nothing else.
MAY_SEE_PATRONS = frozenset(Role) - {Role.ADMINISTRATOR}
ALL_ROLES = frozenset(Role)
