"""Permissions and formatting shared by these views."""

from datetime import datetime

from compliance.core.accounts.models import Casino
from compliance.core.web.access import require_roles
from compliance.core.web.local_time import format_local
from compliance.inspection.checklists.selectors import MAY_INSPECT

inspectors_only = require_roles(*MAY_INSPECT)


def format_time_range(since: datetime, until: datetime, casino: Casino) -> str:
    return f"{format_local(since, casino)} to {format_local(until, casino)}"
