"""Reads of the access log, for the roles that oversee a casino."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from compliance.core.accounts.models import Casino
from compliance.privacy.access_log.models import AccessLogEntry


def access_log_of(casino: Casino, filters: Mapping[str, Any]) -> QuerySet[AccessLogEntry]:
    """Entries that match the filters; empty filters are ignored."""
    entries = AccessLogEntry.objects.filter(casino=casino)
    if filters.get("person"):
        entries = entries.filter(by_id=int(filters["person"]))
    if filters.get("way"):
        entries = entries.filter(way=filters["way"])
    if filters.get("since"):
        entries = entries.filter(at__gte=filters["since"])
    if filters.get("until"):
        entries = entries.filter(at__lt=filters["until"])
    return entries
