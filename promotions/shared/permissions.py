"""Roles that write, read and decide on promotions."""

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from promotions.shared.errors import RoleRequired

MAY_WRITE = frozenset({Role.MARKETING, Role.COMPLIANCE_OFFICER})
MAY_READ = MAY_WRITE | GOVERNMENT_ROLES
# The Authority decides amendments and maintains the list of prescribed prizes (NSW 10.5.5, 10.9.1).
MAY_DECIDE = frozenset({Role.AUTHORITY_OFFICER})
MAY_KEEP_HOLIDAYS = frozenset({Role.ADMINISTRATOR, Role.COMPLIANCE_OFFICER})
MAY_READ_HOLIDAYS = MAY_READ | MAY_KEEP_HOLIDAYS


def check_roles(actor: User, casino: Casino, roles: frozenset[Role]) -> None:
    if not actor.has_role_in_database(*roles, casino=casino):
        raise RoleRequired
