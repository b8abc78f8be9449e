"""URLs of trials, and their access rules."""

from django.urls import reverse

from compliance.analysis.what_if.selectors import MAY_READ, MAY_TRY
from compliance.core.accounts.models import Casino
from compliance.core.web.access import require_roles

readers_only = require_roles(*MAY_READ)
officers_only = require_roles(*MAY_TRY)


def trial_url(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"trials:{name}", kwargs={"casino": casino.slug, **kwargs})
