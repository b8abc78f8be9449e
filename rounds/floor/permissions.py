"""Which roles may read the floor, record its facts and register its controllers."""

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from rounds.floor.errors import RoleNotHeld

FLOOR_STAFF = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER})
MAY_READ = FLOOR_STAFF | GOVERNMENT_ROLES
MAY_STATE_FACTS = frozenset({Role.CASINO_SUPERVISOR, Role.COMPLIANCE_OFFICER})
# Statutory deadlines depend on the holidays, so administrators may maintain the calendar too.
MAY_KEEP_CALENDAR = MAY_STATE_FACTS | {Role.ADMINISTRATOR}
MAY_REGISTER = frozenset({Role.ADMINISTRATOR, Role.COMPLIANCE_OFFICER})
MAY_SEE_CONTROLLERS = MAY_READ | MAY_REGISTER


def check_has_role(actor: User, casino: Casino, roles: frozenset[Role]) -> None:
    if not actor.has_role_in_database(*roles, casino=casino):
        raise RoleNotHeld
