"""Which roles may read disputes, log them, and do the inspector's part. Marketing has those about promotions."""

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import GOVERNMENT, Role
from compliance.disputes.errors import NotYours
from compliance.disputes.ladder import OPERATOR

MAY_READ = OPERATOR | GOVERNMENT
MAY_LOG = OPERATOR
MAY_INSPECT = GOVERNMENT
# Whose promotion it is: they hear the complaint, and see what becomes of it. Of disputes on play they see nothing.
PROMOTERS = frozenset({Role.MARKETING})
MAY_SET = frozenset({Role.COMPLIANCE_OFFICER})


def readers_of(*, is_promotion: bool) -> frozenset[Role]:
    return MAY_READ | PROMOTERS if is_promotion else MAY_READ


def loggers_of(*, is_promotion: bool) -> frozenset[Role]:
    return MAY_LOG | PROMOTERS if is_promotion else MAY_LOG


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
