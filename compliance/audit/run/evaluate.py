"""Evaluates ranges of a log: screening selects rounds over columns, exact checks evaluate the selected rounds one by
one.

`evaluate_every_round` skips the screening. Tests prove that both give the same drafts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from compliance.audit.catalogue.play_codes import ROUND_NO_RULES
from compliance.audit.checks import NO_RULES_CHECK, evaluate_round
from compliance.audit.checks.shared.check_types import AuditRange
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.recorded_acts import with_recorded_acts
from compliance.audit.context.round_columns import NO_RULES_INDEX, RoundColumns, read_columns
from compliance.audit.context.round_context import NoRules, RoundContext
from compliance.audit.context.rules_in_force import RulesTimeline
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.context.streak_history import StreakHistory, load_streak_history
from compliance.audit.projections.later_decisions import merged_decisions
from compliance.audit.projections.rounds import round_from_entry
from compliance.audit.run.evaluate_timeline import evaluate_round_histories, evaluate_timeline_checks
from compliance.audit.screening.affected_rounds import affected_rounds
from compliance.audit.screening.screen import rounds_to_check
from compliance.audit.totals.clause_reading_impact import Impact, ReadingChoice, impact_by_range
from compliance.audit.totals.play_totals import PlayTotals, total_play
from compliance.core.accounts.models import Casino
from rounds.engine import RulesInForce, first_event_times
from rounds.intake.protocol.round import Round
from rounds.intake.round_records import with_dispute_payments
from rounds.ledger import LogEntry
from rounds.rulebook.models import RuleVersion

RoundScreen = Callable[[RoundColumns], Collection[int]]


@dataclass(frozen=True)
class Evaluation:
    """The result of auditing a range.

    `rules_used`: all rules its rounds and events were checked under; `impacts`: money affected by each reading;
    `play_totals`: stakes and returns.
    """

    drafts: tuple[FindingDraft, ...] = ()
    rounds: int = 0
    wagers: int = 0
    rules_used: tuple[RulesInForce, ...] = field(default=(), repr=False)
    impacts: Mapping[ReadingChoice, Impact] = field(default_factory=dict)
    play_totals: PlayTotals = field(default_factory=PlayTotals, repr=False)


def evaluate_range(casino: Casino, first: int, last: int, *, rules_override: RuleVersion | None = None) -> Evaluation:
    """Entries first..last-1 of the casino's log. Only rounds that the screening selects are read from their entries."""
    [evaluation] = _evaluate_ranges(casino, [(first, last)], rounds_to_check, rules_override)
    return evaluation


def evaluate_ranges(casino: Casino, ranges: Sequence[tuple[int, int]]) -> list[Evaluation]:
    """Consecutive ranges, each with the result it would have alone, but read and screened together because that is
    faster."""
    return _evaluate_ranges(casino, ranges, rounds_to_check, None)


def evaluate_every_round(
    casino: Casino, first: int, last: int, *, rules_override: RuleVersion | None = None
) -> Evaluation:
    """Without screening: every round is checked exactly. Slow; used by tests to prove that screening misses nothing."""
    [evaluation] = _evaluate_ranges(casino, [(first, last)], lambda columns: columns.indexes.tolist(), rules_override)
    return evaluation


def _evaluate_ranges(
    casino: Casino, ranges: Sequence[tuple[int, int]], screen: RoundScreen, rules_override: RuleVersion | None
) -> list[Evaluation]:
    first, last = ranges[0][0], ranges[-1][1]
    columns = read_columns(casino, first, last, rules_override)
    selected = {*screen(columns), *affected_rounds(casino, columns)}
    audit_range = AuditRange(casino, first, last, columns)
    source = StoredEntries(casino, rules_override)
    drafts, rounds, streak_history = _evaluate_round_by_round(source, source.entries_at(selected), columns.timelines)
    timeline_drafts, used = evaluate_timeline_checks(audit_range, source)
    drafts += timeline_drafts
    firsts = [first for first, _ in ranges]
    impacts = impact_by_range(columns, firsts, rounds, streak_history)
    totals = [PlayTotals()] * len(firsts) if rules_override else total_play(columns, firsts)
    begins = np.searchsorted(columns.indexes, [*firsts, last])
    wagers = np.concatenate([[0], np.cumsum(columns.counts)])[begins].tolist()

    def evaluation_of(number: int) -> Evaluation:
        begin, end = begins[number : number + 2].tolist()
        places = np.unique(columns.governed_by[begin:end]).tolist()
        return Evaluation(
            tuple(draft for draft in drafts if bisect_right(firsts, draft.index) == number + 1),
            end - begin,
            wagers[number + 1] - wagers[number],
            (
                *(columns.rules_used[place] for place in places if place != NO_RULES_INDEX),
                *(each for index, each in used if bisect_right(firsts, index) == number + 1),
            ),
            impacts[number],
            totals[number],
        )

    return [evaluation_of(number) for number in range(len(ranges))]


def evaluate_rounds(
    audit_range: AuditRange, rounds: Collection[int], rules_override: RuleVersion | None
) -> tuple[list[FindingDraft], list[RoundContext]]:
    """Drafts about some rounds of a range and about all its other entries, and the rounds that were checked exactly.
    Without impacts and totals."""
    columns = audit_range.columns
    selected = {*rounds_to_check(columns), *affected_rounds(audit_range.casino, columns)} & set(rounds)
    source = StoredEntries(audit_range.casino, rules_override)
    drafts, exactly, _ = _evaluate_round_by_round(source, source.entries_at(selected), columns.timelines)
    return drafts + evaluate_timeline_checks(audit_range, source)[0], exactly


def evaluate_entries(source: EntrySource, entries: Sequence[LogEntry], timelines: RulesTimeline) -> list[FindingDraft]:
    """Checks the rounds among these entries exactly, in log order, without screening."""
    drafts, _, _ = _evaluate_round_by_round(source, entries, timelines)
    return drafts


def _evaluate_round_by_round(
    source: EntrySource, entries: Sequence[LogEntry], timelines: RulesTimeline
) -> tuple[list[FindingDraft], list[RoundContext], StreakHistory]:
    """Drafts about the entries, the rounds among them, and the streak history by which they were checked."""
    drafts, rounds = _build_contexts(source, entries, timelines)
    streak_history = load_streak_history(source, rounds)
    for context in rounds:
        drafts += [*_missing_pay_table_drafts(context), *evaluate_round(context, streak_history)]
    return drafts + evaluate_round_histories(source, rounds), rounds, streak_history


def _build_contexts(
    source: EntrySource, entries: Sequence[LogEntry], timelines: RulesTimeline
) -> tuple[list[FindingDraft], list[RoundContext]]:
    """Drafts about rounds without rules in force, and the contexts of all others, in log order."""
    drafts: list[FindingDraft] = []
    rounds: list[RoundContext] = []
    indexes = [entry.index for entry in entries]
    decided = merged_decisions(source.decisions_on(indexes)) if indexes else {}
    paid = source.payments_on(indexes) if indexes else {}
    for entry in entries:
        played, table = round_from_entry(entry), entry.table or ""
        if played is None:
            continue
        rules_in_force = timelines.rules_for_round(table, first_event_times(played))
        if isinstance(rules_in_force, NoRules):
            drafts.append(no_rules_draft(entry.index, table, played, rules_in_force))
        else:
            context = RoundContext(
                index=entry.index,
                table=table,
                round=played,
                rules_in_force=rules_in_force,
                later_decisions=decided.get(entry.index),
            )
            rounds.append(with_dispute_payments(context, paid.get(entry.index, ())))
    return drafts, with_recorded_acts(source, rounds)


def no_rules_draft(index: int, table: str, played: Round, why: NoRules) -> FindingDraft:
    what = f"Round {played.round} at table {table}"
    return FindingDraft(
        code=ROUND_NO_RULES.name,
        check=NO_RULES_CHECK,
        index=index,
        table=table,
        at=min(first_event_times(played).values()),
        sentence=ROUND_NO_RULES.format_sentence(what=what, found=why.reason),
        version=None,
        evidence=(index,),
    )


def _missing_pay_table_drafts(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-NO-RULES for wagers from terminals without a recorded pay table."""
    unknown = {
        wager.terminal for wager in context.round.wagers if context.rules_in_force.pay_table_for(wager.terminal) is None
    }
    if unknown:
        names = ", ".join(sorted(name or "no terminal" for name in unknown))
        yield no_rules_draft(
            context.index, context.table, context.round, NoRules(f"no pay table is on record for {names}")
        )
