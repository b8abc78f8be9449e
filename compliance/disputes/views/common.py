"""What the disputes pages share: who may open them, and where they lie."""

from django.urls import reverse

from compliance.core.accounts.models import Casino
from compliance.core.web.access import require_roles
from compliance.disputes.permissions import MAY_INSPECT, MAY_LOG, MAY_READ, MAY_SET_POLICIES, PROMOTERS

# Which dispute somebody may read or act on is decided where it is reached: marketing's are those about promotions.
readers = require_roles(*MAY_READ, *PROMOTERS)
operators = require_roles(*MAY_LOG, *PROMOTERS)
# Of what only the floor has: tables and rounds, and the casino's own arrangements.
floor_readers = require_roles(*MAY_READ)
floor_operators = require_roles(*MAY_LOG)
inspectors = require_roles(*MAY_INSPECT)
policy_setters = require_roles(*MAY_SET_POLICIES)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"disputes:{name}", kwargs={"casino": casino.slug, **kwargs})
