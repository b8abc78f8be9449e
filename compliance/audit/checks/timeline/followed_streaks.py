"""Checks of Super Streak wagers in the rounds after the one in which they were placed: that the wager is settled in the
round that ends its streak, and that it had been placed before the next round began."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from compliance.audit.catalogue.play_codes import STREAK_MISCOUNT, STREAK_WINDOW
from compliance.audit.checks.shared.check_types import AuditRange, RangeCheck
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_history_draft, wager_label
from compliance.audit.context.round_columns import NO_RULES_INDEX
from compliance.audit.context.round_context import NoRules, RoundContext
from compliance.audit.context.rules_in_force import RulesTimeline
from compliance.audit.context.stored_entries import StoredEntries
from compliance.audit.context.streak_history import TableRoundResult, find_deciding_round, load_table_results
from compliance.audit.projections.rounds import round_from_entry
from rounds.engine import BETS, EngineError, RulesInForce, first_event_times, settle_wager
from rounds.engine.utc_clock import format_utc_clock_exact
from rounds.intake.columns.round_encoding import from_microseconds
from rounds.intake.protocol.round import Round, Wager

# How long before the first round a streak that ends in it may have begun.
LONGEST_STREAK = timedelta(days=1)


class PlacedStreak(NamedTuple):
    """A streak wager, the round after which it was placed, and the rounds since."""

    wager: Wager
    opening: TableRoundResult
    after: Sequence[TableRoundResult]

    @property
    def label(self) -> str:
        return wager_label(self.wager.bet, self.wager.stake, self.wager.id)


@dataclass(frozen=True)
class FollowedTable:
    """The rounds of a table that are checked: those that started between two instants and are among `subjects`."""

    source: EntrySource
    timelines: RulesTimeline
    table: str
    rules_in_force: RulesInForce
    first_at: datetime
    last_at: datetime
    subjects: Container[int]


def check_followed_streaks(audit_range: AuditRange) -> Iterator[FindingDraft]:
    columns, source = audit_range.columns, StoredEntries(audit_range.casino)
    for number, table in enumerate(columns.tables):
        own = columns.table_of == number
        places = columns.governed_by[own][columns.governed_by[own] != NO_RULES_INDEX].tolist()
        if places:
            started, subjects = columns.started_at[own], range(audit_range.first, audit_range.last)
            first, last = from_microseconds(int(started.min())), from_microseconds(int(started.max()))
            rules = columns.rules_used[places[-1]]
            yield from check_table(FollowedTable(source, columns.timelines, table, rules, first, last, subjects))


def check_table(followed: FollowedTable) -> Iterator[FindingDraft]:
    """STREAK-MISCOUNT (`law.streak`): the round that ended a streak does not settle its wager. STREAK-WINDOW
    (`duties.streak_offer`): the wager was placed after the next round had begun."""
    if followed.rules_in_force.pack.law.streak is None:
        return
    for placed in _placed_streaks(followed):
        if placed.after and placed.after[0].index in followed.subjects:
            yield from _check_placing(followed, placed, placed.after[0])
        ended = find_deciding_round(followed.rules_in_force, placed.wager, placed.opening, placed.after)
        if ended is not None and ended.index in followed.subjects:
            yield from _check_settled(followed, placed, ended)


def _placed_streaks(followed: FollowedTable) -> Iterator[PlacedStreak]:
    """The streak wagers placed in the table's rounds, and in some before them."""
    source, table = followed.source, followed.table
    started = (followed.first_at - LONGEST_STREAK, followed.last_at)
    # Asked first, because at most tables nobody placed any, and reading the rounds costs more than all other checks.
    opened = source.placed_streaks([table], started=started)
    if not opened:
        return
    rounds = source.rounds([table], started=started)
    known = {each.index for each in rounds}
    opened = [each for each in opened if each.index in known]
    played = load_table_results(source, {table: followed.rules_in_force}, rounds).get(table, [])
    places = {each.index: place for place, each in enumerate(played)}
    for entry in source.entries_at(sorted({each.index for each in opened})):
        body, place = round_from_entry(entry), places[entry.index]
        for wager in body.wagers if body else ():
            if BETS[wager.bet].is_streak and wager.verdict == "open":
                yield PlacedStreak(wager, played[place], played[place + 1 :])


def _check_placing(
    followed: FollowedTable, placed: PlacedStreak, following: TableRoundResult
) -> Iterator[FindingDraft]:
    context = _round_context(followed, following.index)
    offer = context.pack.duties.streak_offer if context is not None else None
    if context is not None and offer is not None and placed.wager.placed_at > following.commenced_at:
        began_at = format_utc_clock_exact(following.commenced_at)
        yield round_history_draft(
            context,
            STREAK_WINDOW,
            what=placed.label,
            wager=placed.wager.id,
            clause=offer.clause,
            required="only before the next round",
            found=f"{format_utc_clock_exact(placed.wager.placed_at)}, and the next round began at {began_at}",
            evidence=[placed.opening.index],
        )


def _check_settled(followed: FollowedTable, placed: PlacedStreak, ended: TableRoundResult) -> Iterator[FindingDraft]:
    context = _round_context(followed, ended.index)
    if context is None or context.pack.law.streak is None:
        return
    since = placed.after[: placed.after.index(ended) + 1]
    if _was_dealt_with(followed.source, placed, since):
        return
    due, reason = _amount_due(context, placed, since), context.void_rule(ended.void_reason or "")
    streak = context.pack.law.streak
    of_result = streak.clause if due is None else streak.wins_by if due else streak.loses_by
    yield round_history_draft(
        context,
        STREAK_MISCOUNT,
        what=placed.label,
        wager=placed.wager.id,
        clause=(reason.stakes_clause or reason.clause) if reason else of_result,
        required=f"ended in round {ended.round} with {format_amount(due)} due",
        found="did not settle it in that round",
        required_cents=due,
        evidence=[placed.opening.index],
    )


def _was_dealt_with(source: EntrySource, placed: PlacedStreak, since: Sequence[TableRoundResult]) -> bool:
    """Whether one of these rounds settles the wager, or a decision about one of them voids or refunds it."""
    indexes = [each.index for each in since]
    rounds = (round_from_entry(entry) for entry in source.entries_at(sorted(indexes)))
    if any(_settles_wager(each, placed.wager.id) for each in rounds if each is not None):
        return True
    decided = source.decisions_on([placed.opening.index, *indexes])
    named = ((one.refunds, one.voided, one.forfeited) for decisions in decided.values() for one in decisions)
    return any(placed.wager.id in each for row in named for each in row)


def _amount_due(context: RoundContext, placed: PlacedStreak, since: Sequence[TableRoundResult]) -> int | None:
    pay_table = context.rules_in_force.pay_table_for(None)
    question = context.streak_question(placed.wager, placed.opening.result.outcome, [each.result for each in since])
    question = replace(question, void_reason=since[-1].void_reason or question.void_reason)
    if pay_table is None:
        return None
    try:
        return settle_wager(context.rules_in_force.rules_for_pay_table(pay_table), question).returned_cents
    except EngineError:
        return None


def _settles_wager(played: Round, wager: str) -> bool:
    return any(each.id == wager and each.verdict != "open" for each in played.wagers)


def _round_context(followed: FollowedTable, index: int) -> RoundContext | None:
    [entry] = followed.source.entries_at([index])
    played, table = round_from_entry(entry), entry.table or ""
    if played is None:
        return None
    rules_in_force = followed.timelines.rules_for_round(table, first_event_times(played))
    if isinstance(rules_in_force, NoRules):
        return None
    return RoundContext(index=index, table=table, round=played, rules_in_force=rules_in_force)


RANGE_CHECKS = (RangeCheck(frozenset({STREAK_MISCOUNT, STREAK_WINDOW}), check_followed_streaks),)
