"""Permissions and links shared by the pages of equipment."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.core.accounts.models import Casino
from compliance.core.web.access import require_roles
from compliance.core.web.ui.links import entry_url
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.services.floor_records import MAY_REPORT_FAULTS, MAY_RETURN_TO_PLAY, MAY_VOID
from rounds.floor.permissions import MAY_READ

readers_only = require_roles(*MAY_READ)
recorders_only = require_roles(*MAY_REPORT_FAULTS)
returners_only = require_roles(*MAY_RETURN_TO_PLAY)
voiders_only = require_roles(*MAY_VOID)


def entries_of_fault(fault: Fault) -> list[int | None]:
    """The entries about which findings concern the fault: its report, alert, repair and return to play."""
    return [fault.index, fault.alert_index, fault.mended_index, fault.returned_index]


def entry_link(casino: Casino, index: int) -> SafeString:
    return format_html('<a href="{}">Entry {}</a>', entry_url(casino, index), f"{index:,}")
