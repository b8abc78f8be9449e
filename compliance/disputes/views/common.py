"""Access rules of the disputes pages."""

from compliance.core.web.access import require_roles
from compliance.disputes.permissions import MAY_INSPECT, MAY_LOG, MAY_READ, MAY_SET_POLICIES, PROMOTERS

# Access to a single dispute is checked in the selectors: marketing only reaches those about promotions.
readers_only = require_roles(*MAY_READ, *PROMOTERS)
operators_only = require_roles(*MAY_LOG, *PROMOTERS)
# For pages of the floor only: tables, rounds and the casino's settings.
floor_readers_only = require_roles(*MAY_READ)
floor_operators_only = require_roles(*MAY_LOG)
inspectors_only = require_roles(*MAY_INSPECT)
policy_setters_only = require_roles(*MAY_SET_POLICIES)
