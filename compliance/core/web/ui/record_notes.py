"""Slot on pages and lists of records for what was found about them and decided later. inspection.reviews registers the
provider, because the apps whose records are shown are below the audit and may not import it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

from django.http import HttpRequest

from compliance.core.web.ui.components import Tag


@dataclass(frozen=True)
class FindingComment:
    """What a person of the operator wrote about a finding."""

    text: str
    by: str
    at: datetime


@dataclass(frozen=True)
class RecordFinding:
    """A finding about a record: what was found, the amounts, and how far its review is."""

    number: int
    code: str
    severity: Tag
    sentence: str
    clause: str
    entry: int
    wager: str
    due_cents: int | None
    found_cents: int | None
    state: Tag
    level: str
    # An inspector decided that nothing was wrong, or that it was explained.
    is_dismissed: bool = False
    href: str = ""
    # Empty if the reader may not comment on it.
    comment_href: str = ""
    comments: Sequence[FindingComment] = ()

    @property
    def difference_cents(self) -> int | None:
        """What was handed back beyond what is due; negative if it was less."""
        return None if self.due_cents is None or self.found_cents is None else self.found_cents - self.due_cents


@dataclass(frozen=True)
class WarningNote:
    """What a person was warned of before the record was made, and the reason for which they went on."""

    warnings: Sequence[str]
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True)
class RecordNotes:
    """What stands against a record. `serious` and `breaches` count the findings that were not dismissed; `void` says
    that a later decision made the record void, such as "Invalidated". `findings` is only read for single records."""

    serious: int = 0
    breaches: int = 0
    void: str = ""
    findings: Sequence[RecordFinding] = ()
    # Findings beyond those listed.
    more: int = 0
    more_href: str = ""
    # Only read for single records.
    confirmed: Sequence[WarningNote] = ()

    @property
    def is_in_order(self) -> bool:
        return not (self.serious or self.breaches or self.void)

    @classmethod
    def of_findings(cls, findings: Sequence[RecordFinding], void: str = "") -> "RecordNotes":
        levels = [finding.level for finding in findings if not finding.is_dismissed]
        return cls(levels.count("serious"), levels.count("breach"), void, findings)

    def for_wager(self, wager: str) -> "RecordNotes":
        """Of a round: what concerns one of its wagers."""
        return self.of_findings([finding for finding in self.findings if finding.wager == wager], self.void)

    @property
    def mark(self) -> Tag | str:
        """For lists of records that have no state of their own; empty if nothing stands against the record."""
        return "" if self.is_in_order else self.tag(Tag(""))

    def tag(self, tag: Tag) -> Tag:
        """The tag of the record: green only if nothing stands against it. Every page and list asks this function."""
        if self.is_in_order:
            return tag
        count = self.serious + self.breaches
        found = f"{count:,} finding{'' if count == 1 else 's'}" if count else ""
        label = ", ".join(filter(None, (self.void, tag.label, found)))
        if tag.kind == "danger" or self.serious or self.void:
            return Tag(label, "danger")
        return Tag(label, "warning")


NO_NOTES = RecordNotes()


class NotesProvider(Protocol):
    def one(self, reader: Any, casino: Any, entries: Collection[int], table: str) -> RecordNotes:
        """The notes about one record, which consists of these entries; or about a whole table."""
        ...

    def many(self, reader: Any, casino: Any, records: Mapping[int, Collection[int]]) -> Mapping[int, RecordNotes]:
        """The notes about many records by key, without the single findings. One query."""
        ...


_providers: list[NotesProvider] = []


def register_provider(provider: NotesProvider) -> None:
    _providers[:] = [provider]


def record_notes(
    request: HttpRequest, entries: Collection[int | None] = (), *, table: str = "", void: str = ""
) -> RecordNotes:
    """The notes about a record of the casino in the URL, for the person who asks. `void` is known to the caller, who
    read the record."""
    known = {entry for entry in entries if entry is not None}
    if not _providers or not (known or table):
        return RecordNotes(void=void)
    notes = _providers[0].one(request.user, request.casino, known, table)  # type: ignore[attr-defined]
    return replace(notes, void=void)


def notes_of_records(reader: Any, casino: Any, records: Mapping[int, Collection[int]]) -> Mapping[int, RecordNotes]:
    """The notes about many records of one casino, by key."""
    return _providers[0].many(reader, casino, records) if _providers and records else {}


@dataclass
class ListNotes:
    """Notes about the rows of a list. Give `read` to the table as `prepare`: it reads those of a page, or of a chunk of
    a file, in one query. `entries` returns the entries of a row's record."""

    request: HttpRequest
    entries: Callable[[Any], Collection[int | None]]
    _notes: dict[int, RecordNotes] = field(default_factory=dict)

    def read(self, rows: Sequence[Any]) -> None:
        records = {id(row): {entry for entry in self.entries(row) if entry is not None} for row in rows}
        self._notes = dict(notes_of_records(self.request.user, self.request.casino, records))  # type: ignore[attr-defined]

    def of(self, row: Any) -> RecordNotes:
        return self._notes.get(id(row), NO_NOTES)

    def tag(self, row: Any, tag: Tag) -> Tag:
        return self.of(row).tag(tag)
