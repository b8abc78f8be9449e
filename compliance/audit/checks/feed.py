"""Checks of the feed: missing sequence numbers, late lines, clocks, silence, rejected lines; and the log's
signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
import numpy as np

from compliance.audit.catalogue import table_codes as codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.checks.shared.check_types import AuditRange, RangeCheck, TimelineCheck
from compliance.audit.context.finding_draft import FindingDraft, format_duration
from compliance.audit.context.round_columns import round_end_times
from compliance.audit.context.timeline import EventContext, LookBack
from compliance.audit.models import PackedRound, TimelineEvent
from compliance.audit.projections.bulk_read import read_events
from compliance.core.accounts.models import Casino
from rounds.floor.models import ControllerTable
from rounds.intake.columns.round_encoding import Instants, decode_events, from_microseconds, to_microseconds
from rounds.intake.entry_kinds import CONFLICT, QUARANTINED, SIGNATURE, SILENT, UNKNOWN_KEY
from rounds.intake.models import Batch, Quarantined
from rounds.intake.models.feed import SILENT_AFTER
from rounds.intake.protocol.manual_lines import IMPORT_PREFIX
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.ledger import readers, verify

# Limits of this service, not of a document.
MAX_CLOCK_SKEW = timedelta(seconds=2)
MAX_SEND_DELAY = timedelta(minutes=1)


def feed_draft(
    code: FindingCode, index: int, table: str, at: datetime, *, evidence: Sequence[int] = (), **words: str
) -> FindingDraft:
    return FindingDraft(
        code=code.name,
        check=code.check_name,
        index=index,
        table=table,
        at=at,
        sentence=code.format_sentence(**words),
        version=None,
        evidence=(index, *evidence),
    )


def _entry_draft(context: EventContext, code: FindingCode, *, evidence: Sequence[int] = (), **of: str) -> FindingDraft:
    """A draft about the entry itself. Without a rule version: no document governs the feed."""
    return feed_draft(code, context.event.index, context.table, context.event_time, evidence=evidence, **of)


# --- Numbers --------------------------------------------------------------------------------------------------------


def check_sequence_gaps(audit_range: AuditRange) -> Iterator[FindingDraft]:
    """FEED-GAP, at the line after the gap. Lines in quarantine were sent, so they are not missing. A line that comes
    late reopens the block, and the finding is superseded."""
    for gap in readers.sequence_gaps(audit_range.log, audit_range.first, audit_range.last):
        missing = [] if gap.controller.startswith(IMPORT_PREFIX) else _missing_sequences(audit_range.casino, gap)
        if missing:
            one, several = f"number {missing[0]} is missing", f"numbers {missing[0]} to {missing[-1]} are missing"
            yield feed_draft(
                codes.FEED_GAP,
                gap.index,
                gap.table,
                gap.recorded_at,
                found=one if len(missing) == 1 else several,
                required=str(gap.sequence),
                what=f"Feed of {gap.controller} for {gap.table}",
            )


def _missing_sequences(casino: Casino, gap: readers.SequenceGap) -> list[int]:
    rows = Quarantined.objects.filter(
        casino=casino,
        controller__slug=gap.controller,
        table=gap.table,
        sequence__gt=gap.after,
        sequence__lt=gap.sequence,
    )
    quarantined = set(rows.values_list("sequence", flat=True))
    return [number for number in range(gap.after + 1, gap.sequence) if number not in quarantined]


# --- Clocks ---------------------------------------------------------------------------------------------------------


class _BatchTimes(NamedTuple):
    """When a batch was sent by the controller's clock, and received by the server's."""

    first_index: int
    entries: int
    sent_at: datetime
    received_at: datetime
    controller: str


def check_clocks(audit_range: AuditRange) -> Iterator[FindingDraft]:
    """FEED-SKEW and FEED-LATE, from the send and receive times of each batch."""
    batches = _batches(audit_range.log, audit_range.first, audit_range.last)
    if batches:
        yield from _skew_findings(
            audit_range.log, (batch for batch in batches if batch.first_index >= audit_range.first)
        )
        yield from _late_line_findings(audit_range, batches)


def _batches(log: str, first: int, last: int) -> list[_BatchTimes]:
    """The batches of entries first..last-1, in order. The first may begin before `first`."""
    rows = Batch.objects.filter(log=log).values_list(*_BatchTimes._fields[:-1], "controller__slug")
    before = rows.filter(first_index__lt=first).order_by("-first_index")[:1]
    within = rows.filter(first_index__gte=first, first_index__lt=last).order_by("first_index")
    return [batch for batch in map(_BatchTimes._make, [*before, *within]) if batch.first_index + batch.entries > first]


def _skew_findings(log: str, batches: Iterable[_BatchTimes]) -> Iterator[FindingDraft]:
    """FEED-SKEW: received minus sent, at the first line of the batch."""
    for batch in batches:
        off = batch.received_at - batch.sent_at
        if abs(off) > MAX_CLOCK_SKEW:
            yield feed_draft(
                codes.FEED_SKEW,
                batch.first_index,
                _table_of(log, batch.first_index),
                batch.received_at,
                what=batch.controller,
                required=format_duration(MAX_CLOCK_SKEW),
                found=f"{abs(off).total_seconds():.3f} s {'behind' if off > timedelta() else 'ahead'}",
            )


def _late_line_findings(audit_range: AuditRange, batches: Sequence[_BatchTimes]) -> Iterator[FindingDraft]:
    """FEED-LATE: sent minus happened, at the first late line of each batch. A batch that was held back whole is one
    finding."""
    starts = np.array([batch.first_index for batch in batches])
    ends = starts + [batch.entries for batch in batches]
    latest = np.array([to_microseconds(batch.sent_at - MAX_SEND_DELAY) for batch in batches])
    indexes, ended = _controller_line_times(audit_range, int(starts[0]))
    place = np.searchsorted(starts, indexes, side="right") - 1
    late = np.flatnonzero((place >= 0) & (indexes < ends[place]) & (ended < latest[place]))
    _, firsts = np.unique(place[late], return_index=True)
    for line in late[firsts].tolist():
        index, batch = int(indexes[line]), batches[place[line]]
        if index >= audit_range.first:
            yield feed_draft(
                codes.FEED_LATE,
                index,
                audit_range.columns.table_at(index) or _table_of(audit_range.log, index),
                batch.received_at,
                what=f"A line of {batch.controller}",
                found=format_duration(batch.sent_at - from_microseconds(int(ended[line]))),
                required=format_duration(MAX_SEND_DELAY),
            )


def _controller_line_times(audit_range: AuditRange, begin: int) -> tuple[Instants, Instants]:
    """Indexes of controllers' entries in the range, and the time at which what each reports was over. In log order.
    Includes the entries from `begin` on, because a batch may begin before the range."""
    columns, first = audit_range.columns, min(begin, audit_range.first)
    span = {"log": audit_range.log, "entry_index__gte": first, "entry_index__lt": audit_range.last}
    rows = TimelineEvent.objects.filter(**span).exclude(table="").order_by().values_list("entry_index", "at")
    events = [(index, to_microseconds(at)) for index, at in rows]
    lines = [_round_line_times(audit_range.log, first, audit_range.first)] if first < audit_range.first else []
    lines += [
        np.stack([columns.indexes, columns.ended_at]),
        columns.taken_back,
        np.array(events, np.int64).reshape(-1, 2).T,
    ]
    indexes, ended = np.concatenate(lines, axis=1)
    order = np.argsort(indexes, kind="stable")
    return indexes[order], ended[order]


def _round_line_times(log: str, first: int, last: int) -> Instants:
    indexes, events = read_events(log, first, last)
    return np.stack([np.frombuffer(indexes, ">i8").astype(np.int64), round_end_times(decode_events([events]))])


def _table_of(log: str, index: int) -> str:
    round_table = PackedRound.objects.filter(log=log, entry_index=index).values_list("table", flat=True).first()
    other = TimelineEvent.objects.filter(log=log, entry_index=index).values_list("table", flat=True).first()
    return round_table or other or ""


# --- What intake recorded -------------------------------------------------------------------------------------------


def check_rejected_line(context: EventContext) -> Iterator[FindingDraft]:
    """FEED-CONFLICT and FEED-QUARANTINE: a line that intake rejected."""
    body, kind = context.body, context.event.kind
    line = f"Line {body['sequence']} of {body['table']}" if body["sequence"] is not None else "A line"
    what = f"{line} from {body['controller']}"
    if kind == CONFLICT:
        first_index = body.get("kept_index")
        yield _entry_draft(
            context,
            codes.FEED_CONFLICT,
            what=what,
            found=f"SHA-256 {body['line_sha256'][:16]} was refused",
            required=f"entry {first_index} holds the first"
            if first_index is not None
            else "another line of its batch was the first",
            evidence=[] if first_index is None else [first_index],
        )
    else:
        yield _entry_draft(
            context, codes.FEED_QUARANTINE, what=what, found=body["code"], required=body["field"] or "the whole line"
        )


def check_rejected_signature(context: EventContext) -> Iterator[FindingDraft]:
    """FEED-SIGNATURE: batches whose signature is wrong. Filed under the controller's table where it has exactly one."""
    body = context.body
    assignments = ControllerTable.objects.assigned_at(context.event_time).filter(
        controller__casino=context.casino, controller__slug=body["controller"]
    )
    tables = list(assignments.values_list("table__slug", flat=True))
    draft = _entry_draft(
        context,
        codes.FEED_SIGNATURE,
        what=body["controller"],
        found=str(body["count"]),
        required=f"key {body['key_id']} signs them, and did not",
    )
    yield replace(draft, table=tables[0] if len(tables) == 1 else "")


def check_unknown_key(context: EventContext) -> Iterator[FindingDraft]:
    """FEED-SIGNATURE: batches under a key that is not registered, claiming to be of this casino's tables."""
    body = context.body
    tables = ", ".join(sorted(body["tables"]))
    yield _entry_draft(
        context,
        codes.FEED_SIGNATURE,
        what="no controller",
        found=str(body["count"]),
        required=f"they claimed to be of {tables}, whose controllers' keys are others",
    )


def check_feed_silence(context: EventContext) -> Iterator[FindingDraft]:
    """FEED-SILENT, when the silence was noticed. How long it lasted in the end is in the entry of the controller's
    return."""
    last_seen = msgspec.convert(context.body["last_seen_at"], datetime)
    yield _entry_draft(
        context,
        codes.FEED_SILENT,
        what=f"Controller {context.body['controller']}",
        required=format_duration(SILENT_AFTER),
        found=format_duration(context.event.entry.recorded_at - last_seen),
    )


# --- The log --------------------------------------------------------------------------------------------------------


def check_log_verification(context: EventContext) -> Iterator[FindingDraft]:
    """LEDGER-BROKEN: a verification of the log that failed."""
    body = context.body
    if not body["ok"]:
        first = body["first_misfit"] or {}
        yield _entry_draft(
            context,
            codes.LEDGER_BROKEN,
            what=f"The log {body['log']}",
            found=first.get("says") or "something was altered",
            required="everything recorded fits together",
        )


def check_checkpoint_delay(audit_range: AuditRange) -> Iterator[FindingDraft]:
    """CHECKPOINT-LATE, at the first entry recorded after an earlier one should have been signed."""
    for late in verify.late_signatures(audit_range.log, audit_range.first, audit_range.last):
        yield feed_draft(
            codes.CHECKPOINT_LATE,
            late.index,
            "",
            late.recorded_at,
            evidence=[late.unsigned_index],
            what=f"What came after entry {late.unsigned_index - 1}",
            found=f"more than {format_duration(late.waited)}",
            required=format_duration(verify.MAX_SIGNING_DELAY),
        )


TIMELINE_CHECKS = (
    TimelineCheck(
        frozenset({codes.FEED_CONFLICT, codes.FEED_QUARANTINE}),
        frozenset({CONFLICT, QUARANTINED}),
        check_rejected_line,
        LookBack(),
    ),
    TimelineCheck(frozenset({codes.FEED_SIGNATURE}), frozenset({SIGNATURE}), check_rejected_signature, LookBack()),
    TimelineCheck(frozenset({codes.FEED_SIGNATURE}), frozenset({UNKNOWN_KEY}), check_unknown_key, LookBack()),
    TimelineCheck(frozenset({codes.FEED_SILENT}), frozenset({SILENT}), check_feed_silence, LookBack()),
    TimelineCheck(
        frozenset({codes.LEDGER_BROKEN}), frozenset({ledger_kinds.VERIFIED}), check_log_verification, LookBack()
    ),
)
RANGE_CHECKS = (
    RangeCheck(frozenset({codes.FEED_GAP}), check_sequence_gaps),
    RangeCheck(frozenset({codes.FEED_SKEW, codes.FEED_LATE}), check_clocks),
    RangeCheck(frozenset({codes.CHECKPOINT_LATE}), check_checkpoint_delay),
)
