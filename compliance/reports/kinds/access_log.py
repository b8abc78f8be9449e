"""Access log: every access to a patron's details, every exported list or file, every read through the API.

Reports are kept for ever, so free text is left out: notes and filters may name a patron.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.privacy.access_log.models import AccessLogEntry, AccessMethod
from compliance.privacy.access_log.selectors import access_log_of
from compliance.privacy.personal_data.models import AccessPurpose
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.structure import IllustratedDocument

HEADINGS = (
    ReportColumn("When", 4),
    ReportColumn("Who", 4),
    ReportColumn("How", 3),
    ReportColumn("What", 6),
    ReportColumn("Rows", 2, True),
    ReportColumn("Why, or narrowed by", 4),
    ReportColumn("Entry", 2, True),
)


def _selected_disclosures(casino: Casino, chosen: Mapping[str, Any]) -> QuerySet[AccessLogEntry]:
    times = {name: datetime.fromisoformat(chosen[name]) for name in ("since", "until") if chosen.get(name)}
    return access_log_of(casino, {**chosen, **times})


def count_rows(casino: Casino, chosen: Mapping[str, Any]) -> int:
    return _selected_disclosures(casino, chosen).count()


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    accesses = list(_selected_disclosures(casino, chosen).order_by("at", "pk"))
    return assemble_document(
        casino,
        now,
        title="Who looked at what",
        subject=_subject_text(casino, chosen),
        sections=(_totals_section(accesses), _disclosures_section(accesses, casino)),
        basis=build_basis(casino, []),
    )


def _subject_text(casino: Casino, chosen: Mapping[str, Any]) -> str:
    words = [casino.name]
    for name, says in (("since", "from"), ("until", "until")):
        if chosen.get(name):
            words.append(f"{says} {format_local(datetime.fromisoformat(chosen[name]), casino)}")
    if chosen.get("way"):
        words.append(str(AccessMethod(chosen["way"]).label).lower())
    return ", ".join(words)


def _totals_section(accesses: list[AccessLogEntry]) -> Section:
    counted = Counter((one.person_text, one.way) for one in accesses)
    rows = tuple(
        Row((who, str(AccessMethod(way).label), f"{number:,}")) for (who, way), number in sorted(counted.items())
    )
    headings = (ReportColumn("Who", 4), ReportColumn("How", 3), ReportColumn("Times", 1, True))
    facts = (LabelledValue("Looks, downloads and reads", f"{len(accesses):,}"),)
    return Section(title="In short", facts=facts, grid=Grid(headings, rows, "Nobody."))


def _disclosures_section(accesses: list[AccessLogEntry], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                format_local(one.at, casino),
                one.person_text,
                one.get_way_display(),
                one.what,
                "" if one.rows is None else f"{one.rows:,}",
                _purpose_text(one),
                f"{one.entry_index:,}",
            ),
            one.entry_index,
        )
        for one in accesses
    )
    return Section(title="One by one", grid=Grid(HEADINGS, rows, "Nobody took or saw anything in this time."))


def _purpose_text(one: AccessLogEntry) -> str:
    return str(AccessPurpose(one.purpose).label) if one.way == AccessMethod.LOOK else ", ".join(sorted(one.filters))
