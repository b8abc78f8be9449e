"""Open findings of each table, for the floor: how many, and the page that lists them."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count
from django.urls import reverse

from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino


@dataclass(frozen=True)
class OpenFindings:
    """Number of open findings at a table, and the page that lists them."""

    count: int
    href: str


def open_findings_by_table(casino: Casino) -> Mapping[str, OpenFindings]:
    """By the table's slug, in one query; tables without findings are missing."""
    page = reverse("audit:findings", kwargs={"casino": casino.slug})
    standing = Finding.objects.current().filter(casino=casino).exclude(table="").order_by()
    counted = standing.values_list("table").annotate(Count("pk"))
    return {table: OpenFindings(count, f"{page}?{urlencode({'table': table})}") for table, count in counted}
