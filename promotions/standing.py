"""Who works on promotions, and who reads about them."""

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import GOVERNMENT, Role
from promotions.errors import NotYours

MAY_WRITE = frozenset({Role.MARKETING, Role.COMPLIANCE_OFFICER})
MAY_READ = MAY_WRITE | GOVERNMENT
# The Authority: it decides amendments and keeps the list of prescribed prizes (NSW 10.5.5, 10.9.1).
MAY_DECIDE = frozenset({Role.AUTHORITY_OFFICER})
MAY_KEEP_HOLIDAYS = frozenset({Role.ADMINISTRATOR, Role.COMPLIANCE_OFFICER})
MAY_READ_HOLIDAYS = MAY_READ | MAY_KEEP_HOLIDAYS


def require(actor: User, casino: Casino, roles: frozenset[Role]) -> None:
    if not actor.still_holds(*roles, casino=casino):
        raise NotYours
