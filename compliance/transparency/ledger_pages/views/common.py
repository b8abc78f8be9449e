"""Permissions and links shared by the views."""

from django.urls import reverse

from compliance.core.accounts.models import Casino
from compliance.core.web.access import require_roles
from compliance.transparency.ledger_pages.selectors import MAY_EXPORT, MAY_READ

readers_only = require_roles(*MAY_READ)
exporters_only = require_roles(*MAY_EXPORT)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"evidence:{name}", kwargs={"casino": casino.slug, **kwargs})
