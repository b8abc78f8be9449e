"""Plans an act and evaluates its entries in memory: the findings that the audit would record because of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from compliance.audit.context.entries_in_memory import EntriesInMemory
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.models import PackedRound, TimelineEvent
from compliance.audit.projections.rounds import CONSUMER, ROUND_KINDS
from compliance.audit.projections.timeline_events import event_time_of, is_timeline_event
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from compliance.audit.run.reaudit import AFFECTED_BY, affected_by_late_round, looking_back
from compliance.core.accounts.models import Casino
from compliance.core.web.database.plan import planning
from rounds.ledger import LogEntry, position_of, read_entries, size_of
from rounds.ledger import entry_kinds as ledger_kinds

SINGLE_ENTRIES = 1
# More cannot be evaluated while a person waits. A background job does it.
MAX_AFFECTED = 40
# Entries that the audit's consumer has not projected yet are evaluated from memory, up to this many.
MAX_UNREAD = 500


@dataclass(frozen=True)
class KnownFindings:
    """What a background job has found about some of the affected entries."""

    evaluated: frozenset[int] = frozenset()
    drafts: Sequence[FindingDraft] = ()


@dataclass(frozen=True)
class PlannedFindings:
    """New findings at one casino. `entries` are the act's, with provisional indexes; `affected` are the stored entries
    that are audited again because of them, and `missing` those of them that were not evaluated."""

    casino: Casino
    drafts: Sequence[FindingDraft]
    entries: Sequence[LogEntry]
    affected: frozenset[int]
    missing: frozenset[int] = field(default_factory=frozenset)

    @property
    def planned(self) -> frozenset[int]:
        return frozenset(each.index for each in self.entries)


Recall = Callable[[Casino, Sequence[LogEntry]], KnownFindings]


def recall_nothing(casino: Casino, planned: Sequence[LogEntry]) -> KnownFindings:
    return KnownFindings()


def predict_findings(perform: Callable[[], Any], recall: Recall = recall_nothing) -> list[PlannedFindings]:
    """Runs `perform` as a plan. Nothing is written or locked; a Refusal of the service is raised as it is. `recall`
    returns what is known about the affected entries already."""
    with planning() as plan:
        perform()
        by_log: dict[str, list[LogEntry]] = defaultdict(list)
        for entry in plan.entries:
            by_log[entry.log].append(entry)
        casinos = Casino.objects.filter(slug__in=by_log)
        return [_evaluate_plan(casino, by_log[casino.slug], recall) for casino in casinos]


def _evaluate_plan(casino: Casino, planned: Sequence[LogEntry], recall: Recall) -> PlannedFindings:
    affected = frozenset(affected_entries(planned))
    known = recall(casino, planned) if len(affected) > MAX_AFFECTED else KnownFindings()
    missing = affected - known.evaluated
    again = missing if len(missing) <= MAX_AFFECTED else frozenset()
    drafts = [
        *evaluate_change(casino, planned, again),
        *(draft for draft in known.drafts if draft.index in affected & known.evaluated),
    ]
    return PlannedFindings(casino, drafts, planned, affected, missing - again)


def evaluate_change(casino: Casino, planned: Sequence[LogEntry], again: Collection[int]) -> list[FindingDraft]:
    """Findings about the planned entries, and those about the stored entries `again` that would be new."""
    source = source_with_unread_entries(casino)
    drafts = evaluate_in_memory(source, planned, again=again)
    return _new_drafts(drafts, evaluate_in_memory(source, (), again=again)) if again else drafts


def source_with_unread_entries(casino: Casino) -> EntrySource:
    stored, log = StoredEntries(casino), casino.slug
    first, last = position_of(CONSUMER, log), size_of(log)
    unread = read_entries(log, max(first, last - MAX_UNREAD), last) if first < last else ()
    return EntriesInMemory(stored, unread) if unread else stored


def affected_entries(planned: Sequence[LogEntry]) -> set[int]:
    """The stored rounds and events whose findings these entries, of one log, may change."""
    found: set[int] = set()
    for entry in planned:
        kind = ledger_kinds.find_kind(entry.kind)
        if kind is not None and kind.reaudit is not None:
            found |= AFFECTED_BY[kind.reaudit](entry, SINGLE_ENTRIES)
        if entry.kind in ROUND_KINDS:
            found |= affected_by_late_round(entry, SINGLE_ENTRIES)
        elif is_timeline_event(entry):
            at = event_time_of(entry)
            found |= looking_back(entry.log, entry.table or "", entry.kind, (at, at), entry.index, SINGLE_ENTRIES)
    return found - _taken_back(planned[0].log, found) if found else found


def _taken_back(log: str, indexes: Collection[int]) -> set[int]:
    """Those that were taken back already. Nothing is found about them any more."""
    rounds, events = (
        rows.filter(log=log, entry_index__in=indexes, taken_back_index__isnull=False).values_list("entry_index")
        for rows in (PackedRound.objects.order_by(), TimelineEvent.objects.order_by())
    )
    return {index for (index,) in rounds.union(events, all=True)}


def _new_drafts(after: Collection[FindingDraft], before: Collection[FindingDraft]) -> list[FindingDraft]:
    """Those of `after` that the rounds and events do not have already."""
    known = {_identity(draft) for draft in before}
    return [draft for draft in after if _identity(draft) not in known]


def _identity(draft: FindingDraft) -> tuple[Any, ...]:
    amounts = (draft.required_cents, draft.found_cents)
    return (draft.index, draft.code, draft.check, draft.wager, draft.clause, *amounts, draft.sentence)
