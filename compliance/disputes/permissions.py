"""Which roles may read disputes, log them, and do the inspector's part. Marketing has those about promotions."""

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.disputes.errors import RoleNotHeld
from compliance.disputes.ladder.rungs import OPERATOR_ROLES

MAY_READ = OPERATOR_ROLES | GOVERNMENT_ROLES
MAY_LOG = OPERATOR_ROLES
MAY_INSPECT = GOVERNMENT_ROLES
# Whose promotion it is: they hear the complaint, and see what becomes of it. Of disputes on play they see nothing.
PROMOTERS = frozenset({Role.MARKETING})
MAY_SET_POLICIES = frozenset({Role.COMPLIANCE_OFFICER})


def reader_roles(*, is_promotion: bool) -> frozenset[Role]:
    return MAY_READ | PROMOTERS if is_promotion else MAY_READ


def logger_roles(*, is_promotion: bool) -> frozenset[Role]:
    return MAY_LOG | PROMOTERS if is_promotion else MAY_LOG


def current_roles(actor: User, casino: Casino) -> list[str]:
    """Read afresh: a role may have ended since the page was opened."""
    held = RoleAssignment.objects.current().filter(user=actor, casino=casino, user__is_active=True)
    return list(held.values_list("role", flat=True))


def require_acting_role(actor: User, casino: Casino, roles: frozenset[Role]) -> Role:
    """The first of these roles that the person holds here; it is the rank in which they act."""
    held = current_roles(actor, casino)
    rank = next((role for role in Role if role in roles and role in held), None)
    if rank is None:
        raise RoleNotHeld
    return rank
