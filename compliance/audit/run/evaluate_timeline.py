"""Runs the checks of entries other than rounds, and of rounds by their history. A fixed number of queries per range."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from compliance.audit.checks import RANGE_CHECKS, ROUND_HISTORY_CHECKS, TIMELINE_CHECKS
from compliance.audit.checks.shared.check_types import AuditRange, TimelineCheck
from compliance.audit.context import recorded_acts
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft, merge_same_findings
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.rules_in_force import RulesTimeline
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.context.timeline import EventAt, EventContext, HistoryReader, LookBack, read_histories
from compliance.audit.projections.rounds import ROUND_KINDS
from compliance.core.accounts.models import Casino
from rounds.engine import RulesInForce

CHECKED_ENTRY_KINDS = frozenset[str]().union(*(check.entry_kinds for check in TIMELINE_CHECKS))
# What was in force just before an entry is read at this much earlier.
ONE_MICROSECOND = timedelta(microseconds=1)


def evaluate_timeline_checks(
    audit_range: AuditRange, source: StoredEntries
) -> tuple[list[FindingDraft], list[tuple[int, RulesInForce]]]:
    """Drafts about the range's entries, and the rules in force at each of them."""
    drafts = [draft for check in RANGE_CHECKS for draft in check.evaluate(audit_range)]
    events = source.events_in_range(audit_range.first, audit_range.last, CHECKED_ENTRY_KINDS)
    of_events, used = evaluate_events(source, events)
    return drafts + of_events, used


def evaluate_events(
    source: EntrySource, events: Sequence[EventAt]
) -> tuple[list[FindingDraft], list[tuple[int, RulesInForce]]]:
    """Drafts about these events, and the rules in force at each of them."""
    if not events:
        return [], []
    pairs = [(check, event) for event in events for check in TIMELINE_CHECKS if event.kind in check.entry_kinds]
    histories = read_histories(source, [(check.look_back, event.table, event.at) for check, event in pairs])
    timelines = _load_timelines(source, events)
    drafts: list[FindingDraft] = []
    used: list[tuple[int, RulesInForce]] = []
    memo: dict[Hashable, Any] = {}
    for check, event in pairs:
        context = replace(_event_context(source.casino, check, event, histories, timelines), memo=memo)
        drafts += check.evaluate(context)
        if context.rules_in_force is not None:
            used.append((event.index, context.rules_in_force))
    return merge_same_findings(drafts), used


def _load_timelines(source: EntrySource, events: Sequence[EventAt]) -> RulesTimeline:
    instants = [event.at for event in events]
    tables = {event.table for event in events if event.table}
    return source.rules_timeline(tables, min(instants) - ONE_MICROSECOND, max(instants))


def _event_context(
    casino: Casino, check: TimelineCheck, event: EventAt, histories: HistoryReader, timelines: RulesTimeline
) -> EventContext:
    rules_in_force = timelines.rules_at(event.table, event.at) if event.table else None
    return EventContext(
        casino=casino,
        event=event,
        history=histories.history_before(check.look_back, event.table, event.at, event.index),
        rules_in_force=rules_in_force if isinstance(rules_in_force, RulesInForce) else None,
        rules_before=timelines.rules_at(event.table, event.at - ONE_MICROSECOND) if event.table else None,
        versions=timelines.versions_at(event.at),
    )


def evaluate_round_histories(source: EntrySource, rounds: Iterable[RoundContext]) -> list[FindingDraft]:
    """Runs the ROUND_HISTORY_CHECKS on these rounds."""
    pairs = [(check, context) for context in rounds for check in ROUND_HISTORY_CHECKS]
    histories = read_histories(source, [(check.look_back, context.table, context.ended_at) for check, context in pairs])
    return merge_same_findings(
        draft
        for check, context in pairs
        for draft in check.evaluate(context, histories.history_before(check.look_back, context.table, context.ended_at))
    )


def look_back_periods_at(kind: str) -> list[tuple[LookBack, frozenset[str]]]:
    """The look-backs that include this kind, each with the kinds of the entries that are checked by it."""
    over_time = [(check.look_back, check.entry_kinds) for check in TIMELINE_CHECKS]
    every = (
        *(check.look_back for check in ROUND_HISTORY_CHECKS),
        recorded_acts.WARNINGS,
        recorded_acts.PLAYER_LIMITS,
        recorded_acts.REFUSALS,
        recorded_acts.EARLIER_ROUNDS,
        recorded_acts.INTERRUPTIONS,
    )
    of_rounds = [(look_back, ROUND_KINDS) for look_back in every]
    return [(look_back, kinds) for look_back, kinds in (*over_time, *of_rounds) if kind in look_back.entry_kinds]
