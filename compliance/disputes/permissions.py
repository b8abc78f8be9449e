"""Role sets: who may read and log disputes, and who acts as inspector. Marketing only for promotions."""

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.disputes.errors import RoleNotHeld
from compliance.disputes.ladder.rungs import OPERATOR_ROLES

MAY_READ = OPERATOR_ROLES | GOVERNMENT_ROLES
MAY_LOG = OPERATOR_ROLES
MAY_INSPECT = GOVERNMENT_ROLES
# They own the promotions: they take the complaint and follow it. They see no disputes about play.
PROMOTERS = frozenset({Role.MARKETING})
MAY_SET_POLICIES = frozenset({Role.COMPLIANCE_OFFICER})


def reader_roles(*, is_promotion: bool) -> frozenset[Role]:
    return MAY_READ | PROMOTERS if is_promotion else MAY_READ


def roles_that_may_log_disputes(*, is_promotion: bool) -> frozenset[Role]:
    return MAY_LOG | PROMOTERS if is_promotion else MAY_LOG


def current_roles(actor: User, casino: Casino) -> list[str]:
    """Queries the database: a role may have ended since the page was opened."""
    held = RoleAssignment.objects.current().filter(user=actor, casino=casino, user__is_active=True)
    return list(held.values_list("role", flat=True))


def require_acting_role(actor: User, casino: Casino, roles: frozenset[Role]) -> Role:
    """The first of these roles that the person holds here; the step is recorded under it."""
    held = current_roles(actor, casino)
    rank = next((role for role in Role if role in roles and role in held), None)
    if rank is None:
        raise RoleNotHeld
    return rank
