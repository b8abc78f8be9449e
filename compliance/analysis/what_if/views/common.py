"""Access rules of the pages of trials."""

from compliance.analysis.what_if.selectors import MAY_READ, MAY_TRY
from compliance.core.web.access import require_roles

readers_only = require_roles(*MAY_READ)
officers_only = require_roles(*MAY_TRY)
