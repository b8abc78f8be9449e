"""Evaluates entries that are not stored: what the audit would find if they were recorded. Writes nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from compliance.audit.checks.feed_facts import check_gaming_days, check_terminals
from compliance.audit.checks.feed_rounds import check_names, check_overlaps
from compliance.audit.checks.timeline.followed_streaks import FollowedTable, check_table
from compliance.audit.context.entries_in_memory import EntriesInMemory
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.rules_in_force import RulesTimeline
from compliance.audit.context.timeline import EventAt
from compliance.audit.projections.rounds import ROUND_KINDS, round_from_entry
from compliance.audit.projections.timeline_events import event_time_of
from compliance.audit.run.evaluate import evaluate_entries
from compliance.audit.run.evaluate_timeline import CHECKED_ENTRY_KINDS, evaluate_events
from rounds.engine import RulesInForce, first_event_times
from rounds.ledger import LogEntry


def evaluate_in_memory(
    base: EntrySource, entries: Sequence[LogEntry], *, again: Collection[int] = ()
) -> list[FindingDraft]:
    """Drafts about these entries, in log order, as if they followed those of `base`; and about the rounds and events of
    `base` at the indexes `again`, which the entries may change.

    The checks of delivery (gaps, clocks, checkpoints) are left out: they read how lines were sent, which entries do not
    state. Rounds are not screened, so every round is checked exactly.
    """
    source = EntriesInMemory(base, entries)
    rounds = [entry for entry in source.valid_entries if entry.kind in ROUND_KINDS]
    stored = [entry for entry in base.entries_at(again) if entry.index not in source.taken_back]
    rounds += [entry for entry in stored if entry.kind in ROUND_KINDS]
    events = [*source.own_events, *(EventAt(event_time_of(entry), entry, source) for entry in stored)]
    events = [event for event in events if event.kind in CHECKED_ENTRY_KINDS]
    return _evaluate_rounds(source, rounds) + evaluate_events(source, events)[0]


def _evaluate_rounds(source: EntrySource, entries: Sequence[LogEntry]) -> list[FindingDraft]:
    played = [each for each in map(round_from_entry, entries) if each is not None]
    instants = [at for each in played for at in first_event_times(each).values()]
    if not instants:
        return []
    timeline = source.rules_timeline({entry.table or "" for entry in entries}, min(instants), max(instants))
    return [
        *evaluate_entries(source, entries, timeline),
        *_evaluate_streaks(source, entries, timeline),
        *_evaluate_reported_rounds(source, entries),
    ]


def _evaluate_reported_rounds(source: EntrySource, entries: Sequence[LogEntry]) -> Iterator[FindingDraft]:
    """The range checks of rounds against each other and against the casino's records."""
    rounds = source.rounds({entry.table or "" for entry in entries}, indexes={entry.index for entry in entries})
    for check in (check_names, check_overlaps, check_gaming_days, check_terminals):
        yield from check(source, rounds)


def _evaluate_streaks(
    source: EntrySource, entries: Sequence[LogEntry], timeline: RulesTimeline
) -> Iterator[FindingDraft]:
    """The range check of streak wagers after the round in which they were placed."""
    indexes = {entry.index for entry in entries}
    for table in sorted({entry.table or "" for entry in entries}):
        rounds = source.rounds([table], indexes=indexes)
        rules = timeline.rules_at(table, rounds[-1].started_at) if rounds else None
        if isinstance(rules, RulesInForce):
            first, last = rounds[0].started_at, rounds[-1].started_at
            yield from check_table(FollowedTable(source, timeline, table, rules, first, last, indexes))
