"""What the audit found about one family of duties in a period: a section that every register ends with."""

from collections.abc import Iterable

from compliance.audit.catalogue import FAMILIES
from compliance.audit.models import Finding, FindingQuerySet
from compliance.reports.document import Grid, Heading, Row, Section
from compliance.reports.period import Period
from compliance.reports.wording import amount
from compliance.web.moments import moment_text

HEADINGS = (
    Heading("Code", 5, quotes="code"), Heading("What was found", 11, quotes="sentence"),
    Heading("Table", 2, quotes="table"), Heading("When", 4), Heading("Clause", 2, quotes="clause"),
    Heading("Due", 3, True, "required_cents"), Heading("Found", 3, True, "found_cents"),
)  # fmt: skip


def breaches(period: Period, families: Iterable[str]) -> FindingQuerySet:
    """What stands of these families, in the order of time."""
    codes = [code.name for family in families for code in FAMILIES[family]]
    found = Finding.objects.standing().filter(casino=period.casino, code__in=codes)
    return found.filter(at__gte=period.begins_at, at__lt=period.ends_at).order_by("at", "pk")


def breaches_section(found: Iterable[Finding], period: Period) -> Section:
    rows = tuple(
        Row(
            (
                one.code, one.sentence, one.table, moment_text(one.at, period.casino), one.clause,
                amount(one.required_cents), amount(one.found_cents),
            ),
            one.entry_index,
        )
        for one in found
    )  # fmt: skip
    return Section(title="Not as the rules say", grid=Grid(HEADINGS, rows, "The audit found nothing against them."))
