"""What these views share: who may open them, and where they lie."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.accounts.models import Casino
from compliance.equipment.services import MAY_REPORT_FAULTS, MAY_RETURN, MAY_VOID
from compliance.web.access import held_by
from rounds.floor.standing import MAY_READ

readers = held_by(*MAY_READ)
recorders = held_by(*MAY_REPORT_FAULTS)
returners = held_by(*MAY_RETURN)
voiders = held_by(*MAY_VOID)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"equipment:{name}", kwargs={"casino": casino.slug, **kwargs})


def entry_link(casino: Casino, index: int | None) -> str | SafeString:
    if index is None:
        return ""
    href = reverse("evidence:entry", kwargs={"casino": casino.slug, "index": index})
    return format_html('<a href="{}">Entry {}</a>', href, f"{index:,}")


def plain(slug: str) -> str:
    return slug.replace("-", " ").capitalize()
