"""Section with the findings about one family of duties in a period. Every register ends with it."""

from collections.abc import Iterable

from compliance.audit.catalogue import FAMILIES
from compliance.audit.models import Finding, FindingQuerySet
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, ReportColumn, Row, Section
from compliance.reports.document.period import Period
from rounds.engine.money import format_cents

HEADINGS = (
    ReportColumn("Code", 5, quotes="code"),
    ReportColumn("What was found", 11, quotes="sentence"),
    ReportColumn("Table", 2, quotes="table"),
    ReportColumn("When", 4),
    ReportColumn("Clause", 2, quotes="clause"),
    ReportColumn("Due", 3, True, "required_cents"),
    ReportColumn("Found", 3, True, "found_cents"),
)


def findings_of_families(period: Period, families: Iterable[str]) -> FindingQuerySet:
    """Standing findings of these families, in chronological order."""
    codes = [code.name for family in families for code in FAMILIES[family]]
    found = Finding.objects.current().filter(casino=period.casino, code__in=codes)
    return found.filter(at__gte=period.begins_at, at__lt=period.ends_at).order_by("at", "pk")


def breaches_section(found: Iterable[Finding], period: Period) -> Section:
    rows = tuple(
        Row(
            (
                one.code,
                one.sentence,
                one.table,
                format_local(one.at, period.casino),
                one.clause,
                format_cents(one.required_cents),
                format_cents(one.found_cents),
            ),
            one.entry_index,
        )
        for one in found
    )
    return Section(title="Not as the rules say", grid=Grid(HEADINGS, rows, "The audit found nothing against them."))
