"""Checks of inspections at the start of a shift: the shift in which a table opens, and every shift that begins while it
is open.

Evaluated at the first round of a shift; where a shift had no round, at the closing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from compliance.audit.catalogue.table_codes import INSPECT_SHIFT
from compliance.audit.checks.equipment.equipment_custody import (
    INSPECTION_KINDS,
    inspection_duties_at,
    item_label,
    passed_inspections,
)
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from rounds.engine import pack
from rounds.floor.fact_values import ShiftsValue
from rounds.floor.facts.gaming_days import CurrentShift, current_shift
from rounds.intake.entry_kinds import ROUND, TABLE_CLOSED, TABLE_OPENED

ONE_MICROSECOND = timedelta(microseconds=1)
LOOK_BACK = timedelta(days=3)

SHIFT_START = "start-of-shift"


def check_shifts_at_closing(context: EventContext) -> Iterator[FindingDraft]:
    """INSPECT-SHIFT (`duties.inspections`), for the opening and for every later shift without a round."""
    opened = context.history.last_of_kind(TABLE_OPENED)
    if opened is None:
        return
    for duty in inspection_duties_at(context.rules_in_force, context.history, SHIFT_START):
        inspected = passed_inspections(context.history.events, duty)
        missed = [
            begun
            for begun in _inspection_due_times(context, opened)
            if not _is_inspected_in_time(context, inspected, *begun)
        ]
        if missed:
            words: dict[str, Any] = _draft_texts(duty, context.format_local_time(missed[0][1]))
            yield context.draft(INSPECT_SHIFT, clause=duty.clause, evidence=[opened], **words)


def _draft_texts(duty: pack.InspectionDuty, clock: str) -> dict[str, str]:
    what = item_label(duty)
    return {
        "what": what[0].upper() + what[1:],
        "found": f"nothing for the shift at {clock}",
        "required": f"{duty.trials} trials",
    }


def _inspection_due_times(context: EventContext, opened: EventAt) -> list[tuple[datetime, datetime]]:
    """Pairs (from when an inspection counts, when it was due): for the opening, and for each later shift without a
    round.

    A casino without recorded shift times begins a shift with every opening.
    """
    at_opening = _shift_at(context.source, opened.at)
    closed = [each.at for each in context.history.events_of_kind(TABLE_CLOSED) if each.at < opened.at]
    counts_from = at_opening.began_at if at_opening else max(closed, default=opened.at - timedelta(hours=12))
    due_times, later, until = (
        [(counts_from, opened.at)],
        _shift_at(context.source, context.event_time),
        context.event_time,
    )
    while later is not None and later.began_at > opened.at:
        if _first_round_after(context.source, context.table, later.began_at, until) is None:
            due_times.append((later.began_at, later.began_at))
        until = later.began_at
        later = _shift_at(context.source, later.began_at - ONE_MICROSECOND)
    return sorted(due_times)


def _first_round_after(source: EntrySource, table: str, after: datetime, until: datetime) -> datetime | None:
    rounds = source.rounds([table], started=(after + ONE_MICROSECOND, until))
    return rounds[0].started_at if rounds else None


def _shift_at(source: EntrySource, at: datetime) -> CurrentShift | None:
    return current_shift(source.casino_facts_at(at).get(ShiftsValue), at, source.casino.zone)


def _is_inspected_in_time(
    context: EventContext, inspected: Sequence[EventAt], counts_from: datetime, due: datetime
) -> bool:
    first = _first_round_after(context.source, context.table, due, context.event_time)
    until = context.event_time if first is None else first
    return any(counts_from <= each.at <= until for each in inspected)


def check_shift_at_round(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """INSPECT-SHIFT (`duties.inspections`), at the first round of a shift that began while the table was open. A table
    with a round counts as open."""
    duties = inspection_duties_at(context.rules_in_force, history, SHIFT_START)
    last_turn = history.last_of_kind(TABLE_OPENED, TABLE_CLOSED)
    if not duties or (last_turn is not None and last_turn.kind == TABLE_CLOSED):
        return
    began_at = min(context.events.values())
    shift = _shift_at(history.source, began_at)
    if shift is None or (last_turn is not None and last_turn.at >= shift.began_at):
        return
    if _first_round_after(history.source, context.table, shift.began_at, began_at) != began_at:
        return
    for duty in duties:
        if not any(shift.began_at <= each.at <= began_at for each in passed_inspections(history.events, duty)):
            clock = f"{shift.began_at.astimezone(history.source.casino.zone):%H:%M:%S %Z}"
            evidence = [last_turn.index] if last_turn is not None else []
            yield round_history_draft(
                context, INSPECT_SHIFT, clause=duty.clause, evidence=evidence, **_draft_texts(duty, clock)
            )


def shifts_between(source: EntrySource, first: datetime, last: datetime) -> Iterator[datetime]:
    """Start times of all shifts that overlap the period, latest first."""
    shift = _shift_at(source, last)
    while shift is not None:
        yield shift.began_at
        shift = _shift_at(source, shift.began_at - ONE_MICROSECOND) if shift.began_at > first else None


CHECKS = (
    TimelineCheck(
        frozenset({INSPECT_SHIFT}),
        frozenset({TABLE_CLOSED}),
        check_shifts_at_closing,
        LookBack(INSPECTION_KINDS | {ROUND}, LOOK_BACK),
    ),
)
ROUND_CHECKS = (
    RoundHistoryCheck(frozenset({INSPECT_SHIFT}), check_shift_at_round, LookBack(INSPECTION_KINDS, LOOK_BACK)),
)
