"""Reads of withdrawals, for pages, letters and reports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.corrections.permissions import may_withdraw, roles_by_person
from compliance.core.corrections.registry import correctable_of
from compliance.core.web.local_time import format_local
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from rounds.ledger import LogEntry, corrections_of, read_entries_at
from rounds.ledger.entry_kinds import find_kind

WITHDRAWN = Tag("Withdrawn", "neutral")
# Records that a page with many of them offers for withdrawal.
NEWEST_RECORDS = 20


@dataclass(frozen=True)
class Withdrawal:
    """That an entry was withdrawn: by which correction, why, by whom, when."""

    index: int
    reason: str
    by_name: str
    at: datetime

    def sentence(self, casino: Casino) -> str:
        by = f" by {self.by_name}" if self.by_name else ""
        return f"Withdrawn{by}, {format_local(self.at, casino)}. Reason: {self.reason}"


@dataclass(frozen=True)
class RecordLine:
    """A record on a page: what it is, whether it was withdrawn, and where this person withdraws it. `href` is empty
    where they may not."""

    entry: LogEntry
    title: str
    summary: str
    withdrawal: Withdrawal | None
    href: str


def withdrawals_of(log: str, indexes: Collection[int]) -> dict[int, Withdrawal]:
    """The withdrawals of these entries, by their index. Two queries, one if nothing was withdrawn."""
    corrections = corrections_of(log, indexes) if indexes else {}
    if not corrections:
        return {}
    entries = {entry.index: entry for entry in read_entries_at(log, sorted(corrections.values()))}
    return {corrected: read_withdrawal(entries[index]) for corrected, index in sorted(corrections.items())}


def read_withdrawal(correction: LogEntry) -> Withdrawal:
    """The correction of a person, or of a controller, which names a position."""
    content = correction.content()
    content = content["body"] if isinstance(content.get("body"), dict) else content
    by = content.get("by")
    name = by.get("name") or by.get("position", "") if isinstance(by, dict) else str(by or "")
    return Withdrawal(correction.index, str(content.get("reason", "")), name, correction.recorded_at)


def record_lines(user: User, casino: Casino, indexes: Collection[int]) -> list[RecordLine]:
    """What the component `corrections.html` shows of these entries: those that were withdrawn, and those that this
    person may withdraw. At most four queries."""
    entries = read_entries_at(casino.slug, sorted(set(indexes))) if indexes else []
    withdrawn = withdrawals_of(casino.slug, [entry.index for entry in entries])
    # Lines of controllers are corrected by their controller.
    by_people = [entry for entry in entries if entry.controller is None]
    known = [(entry, record) for entry in by_people if (record := correctable_of(entry.kind)) is not None]
    authors = {record.author(entry.content()) for entry, record in known}
    people = {user.pk, *(author for author in authors if author is not None)}
    roles = roles_by_person(casino, people) if known else {}
    lines = []
    for entry, record in known:
        withdrawal = withdrawn.get(entry.index)
        may = withdrawal is None and may_withdraw(record, entry.content(), user, roles)
        if withdrawal is None and not may:
            continue
        kind = find_kind(entry.kind)
        href = casino_url("corrections:withdraw", casino, index=entry.index) if may else ""
        summary = kind.summarize(entry.content()) if kind else ""
        lines.append(RecordLine(entry, kind.label if kind else entry.kind, summary, withdrawal, href))
    return lines


def recorded_indexes(*rows: QuerySet[Any]) -> list[int]:
    """The entries of these rows. One query."""
    first, *others = (each.order_by().values_list("entry_index", flat=True) for each in rows)
    return list(first.union(*others) if others else first)


def newest_indexes(rows: QuerySet[Any]) -> list[int]:
    """The newest entries of these rows, for pages that list many records. One query."""
    return list(rows.order_by("-entry_index").values_list("entry_index", flat=True)[:NEWEST_RECORDS])
