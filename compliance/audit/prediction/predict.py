"""Plans an act and evaluates its entries in memory: the findings that the audit would record because of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from compliance.audit.context.entries_in_memory import EntriesInMemory
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.projections.rounds import CONSUMER, ROUND_KINDS
from compliance.audit.projections.timeline_events import event_time_of, is_timeline_event
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from compliance.audit.run.reaudit import AFFECTED_BY, affected_by_late_round, looking_back
from compliance.core.accounts.models import Casino
from compliance.core.web.database.plan import planning
from rounds.ledger import LogEntry, position_of, read_entries, size_of
from rounds.ledger import entry_kinds as ledger_kinds

SINGLE_ENTRIES = 1
# More cannot be evaluated while a person waits. The page then says how many are audited again.
MAX_AFFECTED = 40
# Entries that the audit's consumer has not projected yet are evaluated from memory, up to this many.
MAX_UNREAD = 500


@dataclass(frozen=True)
class PlannedFindings:
    """New findings at one casino. `planned` are the provisional indexes of the act's entries, `affected` the stored
    entries that are audited again because of them; `is_complete` is False if those were too many to evaluate."""

    casino: Casino
    drafts: Sequence[FindingDraft]
    planned: frozenset[int]
    affected: int
    is_complete: bool


def predict_findings(perform: Callable[[], Any]) -> list[PlannedFindings]:
    """Runs `perform` as a plan. Nothing is written or locked; a Refusal of the service is raised as it is."""
    with planning() as plan:
        perform()
        by_log: dict[str, list[LogEntry]] = defaultdict(list)
        for entry in plan.entries:
            by_log[entry.log].append(entry)
        casinos = Casino.objects.filter(slug__in=by_log)
        return [_evaluate_plan(casino, by_log[casino.slug]) for casino in casinos]


def _evaluate_plan(casino: Casino, planned: Sequence[LogEntry]) -> PlannedFindings:
    source = _source_with_unread_entries(casino)
    affected = affected_entries(planned)
    is_complete = len(affected) <= MAX_AFFECTED
    again = affected if is_complete else ()
    drafts = evaluate_in_memory(source, planned, again=again)
    if again:
        drafts = _new_drafts(drafts, evaluate_in_memory(source, (), again=again))
    return PlannedFindings(casino, drafts, frozenset(each.index for each in planned), len(affected), is_complete)


def _source_with_unread_entries(casino: Casino) -> EntrySource:
    stored, log = StoredEntries(casino), casino.slug
    first, last = position_of(CONSUMER, log), size_of(log)
    unread = read_entries(log, max(first, last - MAX_UNREAD), last) if first < last else ()
    return EntriesInMemory(stored, unread) if unread else stored


def affected_entries(planned: Iterable[LogEntry]) -> set[int]:
    """The stored rounds and events whose findings these entries may change."""
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
    return found


def _new_drafts(after: Collection[FindingDraft], before: Collection[FindingDraft]) -> list[FindingDraft]:
    """Those of `after` that the rounds and events do not have already."""
    known = {_identity(draft) for draft in before}
    return [draft for draft in after if _identity(draft) not in known]


def _identity(draft: FindingDraft) -> tuple[Any, ...]:
    amounts = (draft.required_cents, draft.found_cents)
    return (draft.index, draft.code, draft.check, draft.wager, draft.clause, *amounts, draft.sentence)
