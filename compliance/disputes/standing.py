"""Which roles may read disputes, log them, and do the inspector's part."""

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import GOVERNMENT, Role
from compliance.disputes.errors import NotYours
from compliance.disputes.ladder import OPERATOR

MAY_READ = OPERATOR | GOVERNMENT
MAY_LOG = OPERATOR
MAY_INSPECT = GOVERNMENT
MAY_SET = frozenset({Role.COMPLIANCE_OFFICER})


def roles_held(actor: User, casino: Casino) -> list[str]:
    """Read afresh: a role may have ended since the page was opened."""
    held = RoleHeld.objects.current().filter(user=actor, casino=casino, user__is_active=True)
    return list(held.values_list("role", flat=True))


def require(actor: User, casino: Casino, roles: frozenset[Role]) -> Role:
    """The first of these roles that the person holds here; it is the rank in which they act."""
    held = roles_held(actor, casino)
    rank = next((role for role in Role if role in roles and role in held), None)
    if rank is None:
        raise NotYours
    return rank
