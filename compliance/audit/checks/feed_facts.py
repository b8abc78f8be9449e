"""Checks of rounds against the casino's records: a gaming day that cannot be, and terminals that the table does not
have.

No document asks for these. A feed that contradicts the records cannot be relied on for what documents ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from compliance.audit.catalogue import table_codes as codes
from compliance.audit.checks.feed import feed_draft
from compliance.audit.checks.feed_rounds import round_label, rounds_by_table
from compliance.audit.checks.shared.check_types import AuditRange, RangeCheck
from compliance.audit.context.entry_source import EntrySource, RoundSummary, TerminalOnRecord
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.projections.bulk_read import DAY_EPOCH
from compliance.audit.projections.rounds import round_from_entry
from compliance.tables.signs.consumer import CLOCK_TOLERANCE
from rounds.floor.fact_values import parse_clock
from rounds.floor.facts.gaming_days import MIDNIGHT, clock_instant, gaming_day_of
from rounds.floor.models import Fact
from rounds.intake.columns.round_encoding import name_checksum, to_microseconds

# A round that begins this soon after the cut-over may still count as the day before. A limit of this service.
CUT_OVER_GRACE = timedelta(minutes=1)
ONE_DAY = timedelta(days=1)


# --- Gaming days ----------------------------------------------------------------------------------------------------


def check_gaming_days(source: EntrySource, rounds: Sequence[RoundSummary]) -> Iterator[FindingDraft]:
    """FEED-ROUND-GAMING-DAY, at a round that was not played in the gaming day it was reported for. Where the casino has
    no cut-over on record, only a day that is wrong for every cut-over is found."""
    facts, zone = source.gaming_day_facts() if rounds else (), source.casino.zone
    for table, own in rounds_by_table(rounds):
        has_streaks = dict[date, bool]()
        for played in own:
            if _is_played_on(played, facts, zone):
                continue
            stated = _facts_in_force(facts, played.started_at)[-1:]
            day, due = played.gaming_day, _gaming_day(played.started_at, stated, zone)
            if day == due - ONE_DAY and day not in has_streaks:
                has_streaks[day] = _has_streaks(source, table, day)
            # The day before goes on past the cut-over while its Super Streak wagers are open.
            if not has_streaks.get(day, False):
                yield _gaming_day_draft(played, due, stated)


def _has_streaks(source: EntrySource, table: str, day: date) -> bool:
    rounds = source.rounds([table], days=(day, day))
    return bool(source.placed_streaks([table], indexes=[each.index for each in rounds]))


def _is_played_on(played: RoundSummary, facts: Sequence[Fact], zone: ZoneInfo) -> bool:
    """Whether the round was played, at least partly, in its gaming day; by any cut-over of the last day."""
    clocks: list[time | None] = [_clock(each) for each in _facts_in_force(facts, played.started_at)]
    return any(
        begins <= played.ended_at and played.started_at <= ends + CUT_OVER_GRACE
        for begins, ends in (_day_bounds(played.gaming_day, clock, zone) for clock in clocks or [None])
    )


def _facts_in_force(facts: Sequence[Fact], at: datetime) -> list[Fact]:
    """Those that held at any time in the day before the instant, in order."""
    begun = [each for each in facts if each.effective_at <= at]
    before = [each for each in begun if each.effective_at <= at - ONE_DAY]
    return [*before[-1:], *(each for each in begun if each not in before)]


def _clock(stated: Fact) -> time:
    return parse_clock(stated.value["cut_over"])


def _day_bounds(day: date, cut_over: time | None, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """When a gaming day begins and ends; without a cut-over, the earliest and the latest instant there can be."""
    last = day + ONE_DAY * (2 if cut_over is None else 1)
    return clock_instant(day, cut_over or MIDNIGHT, zone), clock_instant(last, cut_over or MIDNIGHT, zone)


def _gaming_day(at: datetime, stated: Sequence[Fact], zone: ZoneInfo) -> date:
    return gaming_day_of(at, _clock(stated[0]) if stated else MIDNIGHT, zone)


def _gaming_day_draft(played: RoundSummary, due: date, stated: Sequence[Fact]) -> FindingDraft:
    by_clock = f"by the cut-over at {_clock(stated[0]):%H:%M}" if stated else "by the calendar"
    return feed_draft(
        codes.FEED_ROUND_GAMING_DAY,
        played.index,
        played.table,
        played.started_at,
        what=round_label(played),
        found=_date_words(played.gaming_day),
        required=f"{by_clock} it belongs to {_date_words(due)}",
        evidence=[each.entry_index for each in stated if each.entry_index is not None],
    )


def _date_words(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def _check_stored_gaming_days(audit_range: AuditRange) -> Iterator[FindingDraft]:
    """Selects the rounds that did not begin in their gaming day by every cut-over on record."""
    columns, source = audit_range.columns, StoredEntries(audit_range.casino)
    if not len(columns.indexes):
        return
    clocks: list[time | None] = [_clock(each) for each in source.gaming_day_facts()]
    suspected = list[int]()
    for number in np.unique(columns.days).tolist():
        bounds = [
            _day_bounds(DAY_EPOCH.item() + number * ONE_DAY, each, source.casino.zone) for each in clocks or [None]
        ]
        begins, ends = max(first for first, _ in bounds), min(last for _, last in bounds)
        is_outside = (columns.started_at < to_microseconds(begins)) | (columns.started_at >= to_microseconds(ends))
        suspected += columns.indexes[(columns.days == number) & is_outside].tolist()
    if suspected:
        yield from check_gaming_days(source, source.rounds(columns.tables, indexes=suspected))


# --- Terminals ------------------------------------------------------------------------------------------------------


def check_terminals(source: EntrySource, rounds: Sequence[RoundSummary]) -> Iterator[FindingDraft]:
    """FEED-ROUND-TERMINAL, at a round with wagers from terminals that had not been added to its table when it was
    recorded, or that were retired when it began."""
    entries = {entry.index: entry for entry in source.entries_at([each.index for each in rounds])} if rounds else {}
    known = source.terminals({each.table for each in rounds}) if rounds else ()
    for played in sorted(rounds, key=lambda each: each.index):
        body = round_from_entry(entries[played.index])
        named = {wager.terminal for wager in body.wagers if wager.terminal} if body else set()
        there = {each.slug for each in known if each.table == played.table and _is_in_use(each, played)}
        if named - there:
            yield feed_draft(
                codes.FEED_ROUND_TERMINAL,
                played.index,
                played.table,
                played.started_at,
                what=round_label(played),
                found=", ".join(sorted(named - there)),
            )


def _is_in_use(terminal: TerminalOnRecord, played: RoundSummary) -> bool:
    """Clocks of server and controller may differ a little."""
    retired_at = terminal.retired_at
    return terminal.added_index < played.index and (
        retired_at is None or played.started_at <= retired_at + CLOCK_TOLERANCE
    )


def _check_stored_terminals(audit_range: AuditRange) -> Iterator[FindingDraft]:
    """Selects the rounds with wagers from terminals that were not on record throughout the range."""
    columns, source = audit_range.columns, StoredEntries(audit_range.casino)
    named = np.flatnonzero(columns.wagers["terminal"])
    if not len(named):
        return
    rounds, checksums = columns.round_indexes[named], columns.wagers["terminal"][named]
    lasting = [
        each
        for each in source.terminals(columns.tables)
        if each.added_index < audit_range.first and each.retired_at is None
    ]
    is_known = np.zeros(len(named), np.bool_)
    for number, table in enumerate(columns.tables):
        own = [name_checksum(each.slug) for each in lasting if each.table == table]
        is_known |= (columns.table_of[rounds] == number) & np.isin(checksums, own)
    suspected = sorted(set(columns.indexes[rounds[~is_known]].tolist()))
    if suspected:
        yield from check_terminals(source, source.rounds(columns.tables, indexes=suspected))


RANGE_CHECKS = (
    RangeCheck(frozenset({codes.FEED_ROUND_GAMING_DAY}), _check_stored_gaming_days),
    RangeCheck(frozenset({codes.FEED_ROUND_TERMINAL}), _check_stored_terminals),
)
