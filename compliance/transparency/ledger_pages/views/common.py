"""Permissions of the views."""

from compliance.core.web.access import require_roles
from compliance.transparency.ledger_pages.selectors import MAY_EXPORT, MAY_READ

readers_only = require_roles(*MAY_READ)
exporters_only = require_roles(*MAY_EXPORT)
