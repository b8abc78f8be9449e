"""The projection of entries other than rounds, by table, kind and time, for timeline checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from compliance.audit.entry_kinds import AUDIT_KINDS
from compliance.audit.models import TimelineEvent
from compliance.audit.projections.rounds import CONSUMER, ROUND_KINDS, corrected_index
from rounds.intake.protocol.manual_lines import read_manual_line
from rounds.ledger import LogEntry, position_of, read_entries
from rounds.ledger import entry_kinds as ledger_kinds

REBUILD_BATCH_SIZE = 2000


class _Envelope(msgspec.Struct):
    at: datetime


_ENVELOPE_DECODER = msgspec.json.Decoder(_Envelope)


def event_time_of(entry: LogEntry) -> datetime:
    """When it happened: by the controller's clock, by the time the entry states, or when it was recorded."""
    if entry.controller is None:
        manual = read_manual_line(entry)
        if manual is not None:
            return manual[0].astimezone(UTC)
        kind = ledger_kinds.find_kind(entry.kind)
        stated = entry.content()[kind.occurred_at] if kind and kind.occurred_at else None
        return msgspec.convert(stated, datetime) if stated else entry.recorded_at
    try:
        return _ENVELOPE_DECODER.decode(entry.body).at.astimezone(UTC)
    except msgspec.DecodeError:
        return entry.recorded_at


def is_timeline_event(entry: LogEntry) -> bool:
    return entry.kind not in AUDIT_KINDS and entry.kind not in ROUND_KINDS


def store_events(entries: Iterable[LogEntry]) -> list[TimelineEvent]:
    return TimelineEvent.objects.bulk_create(
        TimelineEvent(
            log=entry.log, entry_index=entry.index, kind=entry.kind, table=entry.table or "", at=event_time_of(entry)
        )
        for entry in entries
        if is_timeline_event(entry)
    )


def revoke_event(correction: LogEntry, index: int) -> TimelineEvent | None:
    """Marks an event as taken back. None where the entry is not a timeline event."""
    found = TimelineEvent.objects.filter(log=correction.log, entry_index=index, taken_back_index=None).first()
    if found is not None:
        TimelineEvent.objects.filter(pk=found.pk).update(taken_back_index=correction.index)
    return found


def rebuild_events(log: str) -> None:
    """Rebuilds the projection from the entries, up to the consumer's position."""
    TimelineEvent.objects.filter(log=log).delete()
    end = position_of(CONSUMER, log)
    for first in range(0, end, REBUILD_BATCH_SIZE):
        entries = read_entries(log, first, min(end, first + REBUILD_BATCH_SIZE))
        store_events(entries)
        for entry in entries:
            corrected = corrected_index(entry)
            if corrected is not None:
                revoke_event(entry, corrected)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: the stored events compared with the entries."""
    rows = TimelineEvent.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    stored = {row.entry_index: (row.kind, row.table, row.at) for row in rows}
    for entry in filter(is_timeline_event, entries):
        if stored.pop(entry.index, None) != (entry.kind, entry.table or "", event_time_of(entry)):
            yield entry.index, "the audit's note of it is gone or says something else."
    for index in stored:
        yield index, "the audit has a note of it that does not come from it."
