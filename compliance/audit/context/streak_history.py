"""StreakHistory: the earlier results of a table, by which Super Streak wagers are settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

import numpy as np

from compliance.audit.context.entry_source import EntrySource, RoundSummary
from compliance.audit.context.round_context import NoRules, RoundContext
from compliance.audit.context.round_groups import RoundGroup, are_lights_wrong, build_round_group, may_be_void
from compliance.audit.projections.rounds import round_from_entry
from rounds.engine import (
    BETS,
    EngineError,
    RulesInForce,
    Verdict,
    WagerQuestion,
    first_event_times,
    settle,
    settle_wager,
)
from rounds.engine.settle import INVALIDATED
from rounds.intake.columns.round_encoding import (
    EVENT_INDEX,
    NO_TIME,
    STREAK_BET_CODES,
    decode_events_and_figures,
    from_microseconds,
)
from rounds.intake.protocol.round import Wager


@dataclass(frozen=True)
class TableRoundResult:
    """One round of a table, as far as streaks depend on it. `commenced_at`: when streak wagers could no longer be
    placed for it; `shown_at`: when its result was in sight. `is_corrected`: the table treated it otherwise; it should
    have been void, or its lights were wrong. `void_reason`: why it has no result; read only where the rules
    refund streaks for some reason."""

    index: int
    round: str
    day: date
    result: settle.TableResult
    commenced_at: datetime
    shown_at: datetime
    is_corrected: bool = False
    void_reason: str | None = None


@dataclass(frozen=True)
class StreakHistory:
    """By table, the results in order of play; and by table and wager, the entry in which a streak wager was placed."""

    results: Mapping[str, Sequence[TableRoundResult]] = field(default_factory=dict)
    opened: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def results_up_to(self, context: RoundContext) -> list[TableRoundResult]:
        """The table's results up to and including this round."""
        known = self.results.get(context.table, ())
        place = next((place for place, result in enumerate(known) if result.index == context.index), len(known) - 1)
        return list(known[: place + 1])

    def results_since_wager(
        self, context: RoundContext, wager: str
    ) -> tuple[TableRoundResult, list[TableRoundResult]] | None:
        """The result on the table when the wager was placed, and the results since. None if its placing was never
        reported."""
        index, known = self.opened.get((context.table, wager)), self.results_up_to(context)
        place = next((place for place, result in enumerate(known) if result.index == index), None)
        return None if place is None else (known[place], known[place + 1 :])


def load_streak_history(source: EntrySource, rounds: Iterable[RoundContext]) -> StreakHistory:
    """For the rounds among these with streak wagers. Two queries, and more where a result must be read exactly; none
    without such rounds."""
    touched = [context for context in rounds if any(wager.bet in STREAK_BET_CODES for wager in context.round.wagers)]
    if not touched:
        return StreakHistory()
    rules = {context.table: context.rules_in_force for context in touched}
    wagers = {wager.id for context in touched for wager in context.round.wagers if wager.bet in STREAK_BET_CODES}
    placed = source.placed_streaks(rules, wagers=wagers)
    days = {context.round.gaming_day for context in touched} | {each.gaming_day for each in placed}
    results = load_table_results(source, rules, source.rounds(rules, days=(min(days), max(days))))
    return StreakHistory(results, {(each.table, each.wager): each.index for each in placed})


# --- Results of a table ---------------------------------------------------------------------------------------------


def load_table_results(
    source: EntrySource, rules: Mapping[str, RulesInForce], played: Sequence[RoundSummary]
) -> dict[str, list[TableRoundResult]]:
    """By table, the results of these rounds in order of play. A round that should have been void has none. `rules`: by
    table, rules in force at about that time; rounds that look wrong by them are read from their entries."""
    by_table: dict[str, list[RoundSummary]] = {}
    for row in played:
        by_table.setdefault(row.table, []).append(row)
    results: dict[str, list[TableRoundResult]] = {}
    doubtful: set[int] = set()
    reasons: dict[int, str] = {}
    for table, rows in by_table.items():
        group = _round_group(rows, rules[table])
        results[table] = [_result_of(row, group, place, rules[table]) for place, row in enumerate(rows)]
        doubtful |= _rounds_to_read(rows, group, rules[table])
        reasons |= _read_void_reasons(source, rows, rules[table])
    exact = _read_exactly(source, doubtful) if doubtful else {}
    return {
        table: [replace(_with_exact_result(each, exact), void_reason=reasons.get(each.index)) for each in every]
        for table, every in results.items()
    }


def _read_void_reasons(
    source: EntrySource, rows: Sequence[RoundSummary], rules_in_force: RulesInForce
) -> dict[int, str]:
    """By entry of a void round, the reason. Nothing is read where the rules refund streaks for no reason."""
    pay_table = rules_in_force.pay_table_for(None)
    rules = rules_in_force.rules_for_pay_table(pay_table) if pay_table is not None else None
    if rules is None or not any(reason.on_streak == "refund" for reason in rules.law.void.values()):
        return {}
    reasons = {row.index: INVALIDATED for row in rows if row.was_invalidated}
    for entry in source.entries_at([row.index for row in rows if row.is_void]):
        played = round_from_entry(entry)
        if played is not None and played.no_result is not None:
            reasons[entry.index] = played.no_result.reason
    return reasons


def _has_result(row: RoundSummary) -> bool:
    """A round whose outcome was invalidated has no result."""
    return row.outcome is not None and not row.was_invalidated


def _with_exact_result(each: TableRoundResult, exact: Mapping[int, settle.TableResult]) -> TableRoundResult:
    result = exact.get(each.index, each.result)
    return each if result == each.result else replace(each, result=result, is_corrected=True)


def _round_group(rows: Sequence[RoundSummary], rules_in_force: RulesInForce) -> RoundGroup:
    events, figures = decode_events_and_figures([bytes(row.events) for row in rows])
    tumbles = np.array([-1 if row.tumbles is None else row.tumbles for row in rows], np.int64)
    return build_round_group(
        events, figures, tumbles, np.array([row.outcome_index for row in rows], np.int64), rules_in_force
    )


def _result_of(row: RoundSummary, group: RoundGroup, place: int, rules_in_force: RulesInForce) -> TableRoundResult:
    offer = rules_in_force.pack.duties.streak_offer

    def first_time_of(*names: str) -> datetime:
        times = [int(group.events[EVENT_INDEX[name], place]) for name in names if name in EVENT_INDEX]
        known = min(times, default=NO_TIME)
        return row.started_at if known == NO_TIME else from_microseconds(known)

    return TableRoundResult(
        row.index,
        row.round,
        row.gaming_day,
        settle.TableResult(row.outcome if _has_result(row) else None, row.have_lights_failed),
        commenced_at=first_time_of(offer.placed_before) if offer is not None else row.started_at,
        shown_at=first_time_of(*settle.REVEAL_EVENTS),
    )


def _rounds_to_read(rows: Sequence[RoundSummary], group: RoundGroup, rules_in_force: RulesInForce) -> set[int]:
    """Rounds with a result that may be void by their events, or whose lights may have been wrong."""
    are_wrong = are_lights_wrong(group, rules_in_force) & ~np.array([row.have_lights_failed for row in rows])
    doubtful = may_be_void(group, rules_in_force) | are_wrong
    agitation = rules_in_force.pack.conduct.agitation
    if agitation is not None and (agitation.before or agitation.after):
        # Columns count all tumbles, wherever they were.
        doubtful |= ~np.array([row.is_plain for row in rows])
    return {row.index for row, is_doubtful in zip(rows, doubtful, strict=True) if is_doubtful and _has_result(row)}


def _read_exactly(source: EntrySource, indexes: set[int]) -> dict[int, settle.TableResult]:
    """By entry, the result for streaks under the rules in force for that round."""
    entries = source.entries_at(sorted(indexes))
    rounds = [(entry, played) for entry in entries if (played := round_from_entry(entry)) is not None]
    starts = [min(first_event_times(played).values()) for _, played in rounds]
    ends = [max(first_event_times(played).values()) for _, played in rounds]
    timelines = source.rules_timeline({entry.table or "" for entry, _ in rounds}, min(starts), max(ends))
    results: dict[int, settle.TableResult] = {}
    for entry, played in rounds:
        rules_in_force = timelines.rules_for_round(entry.table or "", first_event_times(played))
        if not isinstance(rules_in_force, NoRules):
            results[entry.index] = settle.RoundToSettle(round=played, rules_in_force=rules_in_force).streak_result
    return results


def find_deciding_round(
    rules_in_force: RulesInForce, wager: Wager, opening: TableRoundResult, after: Sequence[TableRoundResult]
) -> TableRoundResult | None:
    """Of the rounds after the one in which a streak wager was placed, the one whose result ended its streak; None where
    it is still running."""
    pay_table = rules_in_force.pay_table_for(None)
    for end in range(len(after)) if pay_table is not None else ():
        question = WagerQuestion(
            bet=BETS[wager.bet],
            stake_cents=wager.stake,
            opening=opening.result.outcome,
            history=tuple(each.result.outcome for each in after[: end + 1]),
            have_lights_failed=after[end].result.ended_by_fault,
            void_reason=after[end].void_reason,
        )
        try:
            settled = settle_wager(rules_in_force.rules_for_pay_table(pay_table or ""), question)
        except EngineError:
            return None
        if settled.verdict is not Verdict.OPEN:
            return after[end]
    return None
