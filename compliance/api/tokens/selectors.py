"""Permissions on tokens. A grant is fetched only through access_grant."""

from django.db.models import QuerySet

from compliance.api.models import TokenGrant
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound

MAY_MAKE = GOVERNMENT_ROLES
MAY_SEE = GOVERNMENT_ROLES | {Role.COMPLIANCE_OFFICER}


def grants_at(casino: Casino) -> QuerySet[TokenGrant]:
    return TokenGrant.objects.filter(casino=casino).select_related("token", "casino", "end")


def access_grant(user: User, casino: Casino, token: int) -> TokenGrant:
    """The grant of a token at a casino, for those who may revoke it. Absent and forbidden raise the same error."""
    grant = grants_at(casino).filter(token_id=token).first() if user.has_role(*MAY_MAKE, casino=casino) else None
    if grant is None:
        raise NotFound
    return grant
