"""The section of reports and files that lists withdrawn records."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from compliance.core.accounts.models import Casino
from compliance.core.corrections.selectors import withdrawals_of
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Grid, ReportColumn, Row, Section
from rounds.ledger import EntryQuery, read_entries_at, search_entries
from rounds.ledger.entry_kinds import CORRECTION, find_kind

HEADINGS = (
    ReportColumn("Record", 8),
    ReportColumn("Entry", 2, True, "corrects"),
    ReportColumn("Withdrawn", 4),
    ReportColumn("By", 3, quotes="by.name"),
    ReportColumn("Reason", 8, quotes="reason"),
)
MAX_ROWS = 500
TEXT = "These records were withdrawn, with a reason. This document does not count them."


def correction_sections(
    casino: Casino, indexes: Collection[int], kinds: Collection[str] | None = None
) -> tuple[Section, ...]:
    """Those of these entries, of these kinds, that were withdrawn; no section if none was. Three queries, one if none
    was."""
    withdrawn = withdrawals_of(casino.slug, indexes)
    entries = {entry.index: entry for entry in read_entries_at(casino.slug, sorted(withdrawn))} if withdrawn else {}
    rows = []
    for index, withdrawal in withdrawn.items():
        if kinds is not None and entries[index].kind not in kinds:
            continue
        kind = find_kind(entries[index].kind)
        label = kind.label if kind else entries[index].kind
        summary = kind.summarize(entries[index].content()) if kind else ""
        at = format_local(withdrawal.at, casino)
        cells = (f"{label}: {summary}".strip(": "), str(index), at, withdrawal.by_name, withdrawal.reason)
        rows.append(Row(cells, withdrawal.index))
    return (Section(title="Corrected records", texts=(TEXT,), grid=Grid(HEADINGS, tuple(rows))),) if rows else ()


def corrections_between(
    casino: Casino, since: datetime, until: datetime, kinds: Collection[str] | None = None
) -> tuple[Section, ...]:
    """What was withdrawn in a period, whenever it had been recorded: earlier reports may have counted it."""
    wanted = EntryQuery(kind=CORRECTION, since=since, until=until)
    corrections = search_entries(casino.slug, wanted, limit=MAX_ROWS).entries
    return correction_sections(casino, [int(entry.content()["corrects"]) for entry in corrections], kinds)
