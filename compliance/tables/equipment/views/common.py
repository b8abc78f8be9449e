"""Permissions and URLs shared by the pages of equipment."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.core.accounts.models import Casino
from compliance.core.web.access import require_roles
from compliance.tables.equipment.services.floor_records import MAY_REPORT_FAULTS, MAY_RETURN_TO_PLAY, MAY_VOID
from rounds.floor.permissions import MAY_READ

readers_only = require_roles(*MAY_READ)
recorders_only = require_roles(*MAY_REPORT_FAULTS)
returners_only = require_roles(*MAY_RETURN_TO_PLAY)
voiders_only = require_roles(*MAY_VOID)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"equipment:{name}", kwargs={"casino": casino.slug, **kwargs})


def entry_link(casino: Casino, index: int | None) -> str | SafeString:
    if index is None:
        return ""
    href = reverse("evidence:entry", kwargs={"casino": casino.slug, "index": index})
    return format_html('<a href="{}">Entry {}</a>', href, f"{index:,}")


def humanize_slug(slug: str) -> str:
    return slug.replace("-", " ").capitalize()
