"""The feed itself: numbers that never came, lines and clocks that are late, silence, refusals, the log's signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
import numpy as np

from compliance.accounts.models import Casino
from compliance.audit.bulk import read_events
from compliance.audit.catalogue import CODES
from compliance.audit.checks.ways_in import OverTime, Stretch, StretchCheck
from compliance.audit.columns import ends_of
from compliance.audit.drafts import Draft, check_of, lasting
from compliance.audit.models import Happening, PackedRound
from compliance.audit.packing import Instants, instant_of, microseconds, unpack_events
from compliance.audit.stories import Looks, Subject
from rounds.floor.models import ControllerTable
from rounds.intake.models import Batch, Quarantined
from rounds.intake.models.feed import SILENT_AFTER
from rounds.intake.persons import IMPORTED
from rounds.intake.recorded import CONFLICT, QUARANTINED, SIGNATURE, SILENT, UNKNOWN_KEY
from rounds.ledger.kinds import VERIFIED
from rounds.ledger.numbered import Gap, gaps_before
from rounds.ledger.signing_times import SIGNED_WITHIN, signed_late

# A clock may be off by as much; a line is sent within a minute of what it reports.
MOST_SKEW = timedelta(seconds=2)
MOST_LATE = timedelta(minutes=1)


def _draft(code: str, index: int, table: str, at: datetime, *, evidence: Sequence[int] = (), **words: str) -> Draft:
    said = {"what": "", "found": "", "required": ""} | words
    return Draft(
        code=code, check=check_of(code), index=index, table=table, at=at, sentence=CODES[code].says(**said),
        version=None, evidence=(index, *evidence),
    )  # fmt: skip


def _about(subject: Subject, code: str, *, evidence: Sequence[int] = (), **words: str) -> Draft:
    """No document's rules govern the feed: its findings are of no version."""
    return _draft(code, subject.happened.index, subject.table, subject.at, evidence=evidence, **words)


# --- Numbers --------------------------------------------------------------------------------------------------------


def judge_gaps(stretch: Stretch) -> Iterator[Draft]:
    """At the line after a gap. What is in quarantine was sent; what came late closes the gap again."""
    for gap in gaps_before(stretch.log, stretch.first, stretch.last):
        missing = [] if gap.controller.startswith(IMPORTED) else _never_sent(stretch.casino, gap)
        if missing:
            numbers = f"number {missing[0]}" if len(missing) == 1 else f"numbers {missing[0]} to {missing[-1]}"
            yield _draft(
                "FEED-GAP", gap.index, gap.table, gap.recorded_at, found=numbers, required=str(gap.sequence),
                what=f"Feed of {gap.controller} for {gap.table}",
            )  # fmt: skip


def _never_sent(casino: Casino, gap: Gap) -> list[int]:
    refused = Quarantined.objects.filter(
        casino=casino, controller__slug=gap.controller, table=gap.table, sequence__gt=gap.after,
        sequence__lt=gap.sequence,
    )  # fmt: skip
    kept = set(refused.values_list("sequence", flat=True))
    return [number for number in range(gap.after + 1, gap.sequence) if number not in kept]


# --- Clocks ---------------------------------------------------------------------------------------------------------


class _Batch(NamedTuple):
    """What its sender's and our own clock say of a batch."""

    first_index: int
    entries: int
    sent_at: datetime
    received_at: datetime
    controller: str


def judge_clocks(stretch: Stretch) -> Iterator[Draft]:
    batches = _batches(stretch.log, stretch.first, stretch.last)
    if batches:
        yield from _skewed(stretch.log, (batch for batch in batches if batch.first_index >= stretch.first))
        yield from _late(stretch, batches)


def _batches(log: str, first: int, last: int) -> list[_Batch]:
    """Those that brought entries first..last-1, in order; the first may have begun before."""
    told = Batch.objects.filter(log=log).values_list(*_Batch._fields[:-1], "controller__slug")
    before = told.filter(first_index__lt=first).order_by("-first_index")[:1]
    within = told.filter(first_index__gte=first, first_index__lt=last).order_by("first_index")
    return [batch for batch in map(_Batch._make, [*before, *within]) if batch.first_index + batch.entries > first]


def _skewed(log: str, batches: Iterable[_Batch]) -> Iterator[Draft]:
    """Received less sent, at the first line of its batch."""
    for batch in batches:
        off = batch.received_at - batch.sent_at
        if abs(off) > MOST_SKEW:
            yield _draft(
                "FEED-SKEW", batch.first_index, _table_of(log, batch.first_index), batch.received_at,
                what=batch.controller, required=lasting(MOST_SKEW),
                found=f"{abs(off).total_seconds():.3f} s {'behind' if off > timedelta() else 'ahead'}",
            )  # fmt: skip


def _late(stretch: Stretch, batches: Sequence[_Batch]) -> Iterator[Draft]:
    """Sent less happened, at the first late line of each batch: one that was held back whole is one finding."""
    starts = np.array([batch.first_index for batch in batches])
    ends = starts + [batch.entries for batch in batches]
    latest = np.array([microseconds(batch.sent_at - MOST_LATE) for batch in batches])
    indexes, over = _lines(stretch, int(starts[0]))
    place = np.searchsorted(starts, indexes, side="right") - 1
    late = np.flatnonzero((place >= 0) & (indexes < ends[place]) & (over < latest[place]))
    _, firsts = np.unique(place[late], return_index=True)
    for line in late[firsts].tolist():
        index, batch = int(indexes[line]), batches[place[line]]
        if index >= stretch.first:
            yield _draft(
                "FEED-LATE", index, _table_of(stretch.log, index), batch.received_at,
                what=f"A line of {batch.controller}",
                found=lasting(batch.sent_at - instant_of(int(over[line]))), required=lasting(MOST_LATE),
            )  # fmt: skip


def _lines(stretch: Stretch, begin: int) -> tuple[Instants, Instants]:
    """Entries of the stretch from controllers, and those before it from `begin` on, in order: the index of each, and
    when what it reports was over."""
    columns, first = stretch.columns, min(begin, stretch.first)
    span = {"log": stretch.log, "entry_index__gte": first, "entry_index__lt": stretch.last}
    others = Happening.objects.filter(**span).exclude(table="").order_by().values_list("entry_index", "at")
    told = [(index, microseconds(at)) for index, at in others]
    lines = [_lines_of_rounds(stretch.log, first, stretch.first)] if first < stretch.first else []
    lines += [np.stack([columns.indexes, columns.ended]), columns.taken_back, np.array(told, np.int64).reshape(-1, 2).T]
    indexes, over = np.concatenate(lines, axis=1)
    order = np.argsort(indexes, kind="stable")
    return indexes[order], over[order]


def _lines_of_rounds(log: str, first: int, last: int) -> Instants:
    indexes, events = read_events(log, first, last)
    return np.stack([np.frombuffer(indexes, ">i8").astype(np.int64), ends_of(unpack_events([events]))])


def _table_of(log: str, index: int) -> str:
    round_table = PackedRound.objects.filter(log=log, entry_index=index).values_list("table", flat=True).first()
    other = Happening.objects.filter(log=log, entry_index=index).values_list("table", flat=True).first()
    return round_table or other or ""


# --- What intake recorded -------------------------------------------------------------------------------------------


def judge_refusal(subject: Subject) -> Iterator[Draft]:
    body, kind = subject.body, subject.happened.kind
    line = f"Line {body['sequence']} of {body['table']}" if body["sequence"] is not None else "A line"
    what = f"{line} from {body['controller']}"
    if kind == CONFLICT:
        kept = body.get("kept_index")
        yield _about(
            subject, "FEED-CONFLICT", what=what, found=f"SHA-256 {body['line_sha256'][:16]} was refused",
            required=f"entry {kept} holds the first" if kept is not None else "another line of its batch was the first",
            evidence=[] if kept is None else [kept],
        )  # fmt: skip
    else:
        yield _about(
            subject, "FEED-QUARANTINE", what=what, found=body["code"], required=body["field"] or "the whole line"
        )


def judge_signature(subject: Subject) -> Iterator[Draft]:
    """Of a controller that speaks for one table it is that table's; otherwise the casino's."""
    body = subject.body
    speaks_for = ControllerTable.objects.at(subject.at).filter(
        controller__casino=subject.casino, controller__slug=body["controller"]
    )
    tables = list(speaks_for.values_list("table__slug", flat=True))
    draft = _about(
        subject, "FEED-SIGNATURE", what=body["controller"], found=str(body["count"]),
        required=f"key {body['key_id']} signs them, and did not",
    )  # fmt: skip
    yield replace(draft, table=tables[0] if len(tables) == 1 else "")


def judge_unknown_key(subject: Subject) -> Iterator[Draft]:
    """Somebody spoke for tables of this casino whose key nobody here approved."""
    body = subject.body
    tables = ", ".join(sorted(body["tables"]))
    yield _about(
        subject, "FEED-SIGNATURE", what="no controller", found=str(body["count"]),
        required=f"they claimed to be of {tables}, whose controllers' keys are others",
    )  # fmt: skip


def judge_silence(subject: Subject) -> Iterator[Draft]:
    """When it was noticed; how long it lasted in the end, the return says."""
    last_seen = msgspec.convert(subject.body["last_seen_at"], datetime)
    yield _about(
        subject, "FEED-SILENT", what=f"Controller {subject.body['controller']}", required=lasting(SILENT_AFTER),
        found=lasting(subject.happened.entry.recorded_at - last_seen),
    )  # fmt: skip


# --- The log --------------------------------------------------------------------------------------------------------


def judge_verification(subject: Subject) -> Iterator[Draft]:
    body = subject.body
    if not body["ok"]:
        first = body["first_misfit"] or {}
        yield _about(
            subject, "LEDGER-BROKEN", what=f"The log {body['log']}", found=first.get("says") or "something was altered",
            required="everything recorded fits together",
        )  # fmt: skip


def judge_signing(stretch: Stretch) -> Iterator[Draft]:
    """At the first entry recorded after the time was over in which an earlier one should have been signed."""
    for late in signed_late(stretch.log, stretch.first, stretch.last):
        yield _draft(
            "CHECKPOINT-LATE", late.index, "", late.recorded_at, evidence=[late.unsigned_index],
            what=f"What came after entry {late.unsigned_index - 1}", found=f"more than {lasting(late.waited)}",
            required=lasting(SIGNED_WITHIN),
        )  # fmt: skip


OVER_TIME = (
    OverTime(
        frozenset({"FEED-CONFLICT", "FEED-QUARANTINE"}), frozenset({CONFLICT, QUARANTINED}), judge_refusal, Looks()
    ),
    OverTime(frozenset({"FEED-SIGNATURE"}), frozenset({SIGNATURE}), judge_signature, Looks()),
    OverTime(frozenset({"FEED-SIGNATURE"}), frozenset({UNKNOWN_KEY}), judge_unknown_key, Looks()),
    OverTime(frozenset({"FEED-SILENT"}), frozenset({SILENT}), judge_silence, Looks()),
    OverTime(frozenset({"LEDGER-BROKEN"}), frozenset({VERIFIED.name}), judge_verification, Looks()),
)
STRETCH_CHECKS = (
    StretchCheck(frozenset({"FEED-GAP"}), judge_gaps),
    StretchCheck(frozenset({"FEED-SKEW", "FEED-LATE"}), judge_clocks),
    StretchCheck(frozenset({"CHECKPOINT-LATE"}), judge_signing),
)
