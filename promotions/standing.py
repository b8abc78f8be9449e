"""Who works on promotions, and who reads about them."""

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import GOVERNMENT, Role
from promotions.errors import NotYours

MAY_WRITE = frozenset({Role.MARKETING, Role.COMPLIANCE_OFFICER})
MAY_READ = MAY_WRITE | GOVERNMENT
# The Authority: it decides amendments and keeps the list of prescribed prizes (NSW 10.5.5, 10.9.1).
MAY_DECIDE = frozenset({Role.AUTHORITY_OFFICER})
MAY_KEEP_HOLIDAYS = frozenset({Role.ADMINISTRATOR, Role.COMPLIANCE_OFFICER})
MAY_READ_HOLIDAYS = MAY_READ | MAY_KEEP_HOLIDAYS


def require(actor: User, casino: Casino, roles: frozenset[Role]) -> None:
    """Read afresh: a role may have ended since the page was opened."""
    held = RoleHeld.objects.current().filter(user=actor, casino=casino, role__in=roles, user__is_active=True)
    if not held.exists():
        raise NotYours
