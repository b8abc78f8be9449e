"""Checks of Super Streak wagers in the rounds after the one in which they were placed: that the wager is settled in the
round that ends its streak, and that it had been placed before the next round began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compliance.audit.catalogue.play_codes import STREAK_MISCOUNT, STREAK_WINDOW
from compliance.audit.checks.shared.check_types import AuditRange, RangeCheck
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_history_draft, wager_label
from compliance.audit.context.round_columns import NO_RULES_INDEX
from compliance.audit.context.round_context import NoRules, RoundContext
from compliance.audit.context.streak_history import TableRoundResult, find_deciding_round, load_table_results
from compliance.audit.models import OpenedStreak, PackedRound, VoidedRound
from compliance.audit.projections.rounds import round_from_entry
from rounds.engine import BETS, EngineError, RulesInForce, first_event_times, settle_wager
from rounds.intake.columns.round_encoding import from_microseconds
from rounds.intake.protocol.round import Round, Wager
from rounds.ledger import read_entries_at

# Rounds before the range in which a streak that ends in it may have begun. Longer than any streak.
ROUNDS_BACK = 64


class PlacedStreak(NamedTuple):
    """A streak wager, the round after which it was placed, and the rounds since."""

    wager: Wager
    opening: TableRoundResult
    after: Sequence[TableRoundResult]

    @property
    def label(self) -> str:
        return wager_label(self.wager.bet, self.wager.stake, self.wager.id)


def check_followed_streaks(audit_range: AuditRange) -> Iterator[FindingDraft]:
    """STREAK-MISCOUNT (`law.streak`): the round that ended a streak does not settle its wager. STREAK-WINDOW
    (`duties.streak_offer`): the wager was placed after the next round had begun."""
    for table, rules_in_force in _tables_with_streaks(audit_range):
        for placed in _placed_streaks(audit_range, table, rules_in_force):
            if placed.after and _is_in_range(audit_range, placed.after[0]):
                yield from _check_placing(audit_range, placed, placed.after[0])
            ended = find_deciding_round(rules_in_force, placed.wager, placed.opening, placed.after)
            if ended is not None and _is_in_range(audit_range, ended):
                yield from _check_settled(audit_range, placed, ended)


def _is_in_range(audit_range: AuditRange, played: TableRoundResult) -> bool:
    return audit_range.first <= played.index < audit_range.last


def _tables_with_streaks(audit_range: AuditRange) -> Iterator[tuple[str, RulesInForce]]:
    """The tables of the range at which streak wagers were ever placed, each with the rules of its last round."""
    columns = audit_range.columns
    if all(used.pack.law.streak is None for used in columns.rules_used):
        return
    opened = OpenedStreak.objects.filter(log=audit_range.log, table__in=columns.tables)
    with_streaks = set(opened.order_by().values_list("table", flat=True).distinct())
    for number, table in enumerate(columns.tables):
        governed_by = columns.governed_by[columns.table_of == number]
        places = governed_by[governed_by != NO_RULES_INDEX].tolist()
        if table in with_streaks and places and columns.rules_used[places[-1]].pack.law.streak is not None:
            yield table, columns.rules_used[places[-1]]


def _placed_streaks(audit_range: AuditRange, table: str, rules_in_force: RulesInForce) -> Iterator[PlacedStreak]:
    """The streak wagers placed in the table's rounds of the range, and in some before them."""
    log = audit_range.log
    opened = OpenedStreak.objects.filter(log=log, table=table)
    played = _results_around_range(audit_range, table, rules_in_force)
    places = {each.index: place for place, each in enumerate(played)}
    indexes = sorted(set(opened.filter(entry_index__in=places).values_list("entry_index", flat=True)))
    for entry in read_entries_at(log, indexes) if indexes else ():
        body, place = round_from_entry(entry), places[entry.index]
        for wager in body.wagers if body else ():
            if BETS[wager.bet].is_streak and wager.verdict == "open":
                yield PlacedStreak(wager, played[place], played[place + 1 :])


def _results_around_range(audit_range: AuditRange, table: str, rules_in_force: RulesInForce) -> list[TableRoundResult]:
    columns = audit_range.columns
    own = columns.table_of == columns.tables.index(table)
    first = from_microseconds(int(columns.started_at[own].min()))
    last = from_microseconds(int(columns.started_at[own].max()))
    rows = PackedRound.objects.filter(log=audit_range.log, table=table, taken_back_index=None)
    before = rows.filter(started_at__lt=first).order_by("-started_at").values_list("started_at", flat=True)
    span = rows.filter(started_at__range=(min(before[:ROUNDS_BACK], default=first), last))
    return load_table_results(audit_range.log, {table: rules_in_force}, span).get(table, [])


def _check_placing(
    audit_range: AuditRange, placed: PlacedStreak, following: TableRoundResult
) -> Iterator[FindingDraft]:
    context = _round_context(audit_range, following.index)
    offer = context.pack.duties.streak_offer if context is not None else None
    if context is not None and offer is not None and placed.wager.placed_at > following.commenced_at:
        began_at = f"{following.commenced_at:%H:%M:%S.%f} UTC"
        yield round_history_draft(
            context,
            STREAK_WINDOW,
            what=placed.label,
            wager=placed.wager.id,
            clause=offer.clause,
            required="only before the next round",
            found=f"{placed.wager.placed_at:%H:%M:%S.%f} UTC, and the next round began at {began_at}",
            evidence=[placed.opening.index],
        )


def _check_settled(audit_range: AuditRange, placed: PlacedStreak, ended: TableRoundResult) -> Iterator[FindingDraft]:
    context = _round_context(audit_range, ended.index)
    if context is None or context.pack.law.streak is None:
        return
    since = placed.after[: placed.after.index(ended) + 1]
    if _was_dealt_with(audit_range.log, placed, since):
        return
    due = _amount_due(context, placed, since)
    yield round_history_draft(
        context,
        STREAK_MISCOUNT,
        what=placed.label,
        wager=placed.wager.id,
        clause=context.pack.law.streak.clause,
        required=f"{format_amount(due)} due in round {ended.round}, which ended it",
        found="not settled it in that round",
        required_cents=due,
        evidence=[placed.opening.index],
    )


def _was_dealt_with(log: str, placed: PlacedStreak, since: Sequence[TableRoundResult]) -> bool:
    """Whether one of these rounds settles the wager, or a decision about one of them voids or refunds it."""
    indexes = [each.index for each in since]
    rounds = (round_from_entry(entry) for entry in read_entries_at(log, sorted(indexes)))
    if any(_settles_wager(each, placed.wager.id) for each in rounds if each is not None):
        return True
    decided = VoidedRound.objects.filter(log=log, entry_index__in=[placed.opening.index, *indexes])
    named = decided.values_list("refunds", "voided", "forfeited")
    return any(placed.wager.id in each for row in named for each in row)


def _amount_due(context: RoundContext, placed: PlacedStreak, since: Sequence[TableRoundResult]) -> int | None:
    pay_table = context.rules_in_force.pay_table_for(None)
    question = context.streak_question(placed.wager, placed.opening.result.outcome, [each.result for each in since])
    if pay_table is None:
        return None
    try:
        return settle_wager(context.rules_in_force.rules_for_pay_table(pay_table), question).returned_cents
    except EngineError:
        return None


def _settles_wager(played: Round, wager: str) -> bool:
    return any(each.id == wager and each.verdict != "open" for each in played.wagers)


def _round_context(audit_range: AuditRange, index: int) -> RoundContext | None:
    [entry] = read_entries_at(audit_range.log, [index])
    played, table = round_from_entry(entry), entry.table or ""
    if played is None:
        return None
    rules_in_force = audit_range.columns.timelines.rules_for_round(table, first_event_times(played))
    if isinstance(rules_in_force, NoRules):
        return None
    return RoundContext(index=index, table=table, round=played, rules_in_force=rules_in_force, log=audit_range.log)


RANGE_CHECKS = (RangeCheck(frozenset({STREAK_MISCOUNT, STREAK_WINDOW}), check_followed_streaks),)
