"""Checks of Super Streak over a session of a table: the screen's count, the final call, streaks left open at a
closing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from compliance.audit.catalogue.play_codes import (
    STREAK_FINAL_CALL,
    STREAK_MISCOUNT,
    STREAK_NO_CALL,
    STREAK_OPEN_AT_CLOSE,
)
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.timeline.signs import SIGN_KINDS, SIGN_READERS, SignContent, find_displayed_sign
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft, wager_label
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.streak_history import TableRoundResult, find_deciding_round, load_table_results
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from compliance.audit.projections.rounds import round_from_entry
from rounds.engine import BETS, RulesInForce, settle
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.entry_kinds import ROUND, STREAK_STATE, TABLE_CLOSED, TABLE_OPENED
from rounds.intake.protocol.round import Wager

# Longer than any streak. Counting a whole day again after each of its rounds would be too slow.
LONG_ENOUGH = 64
LONGEST_ROUND, ONE_MICROSECOND = timedelta(days=1), timedelta(microseconds=1)


def rounds_of_day(source: EntrySource, table: str, day: date, rules_in_force: RulesInForce) -> list[TableRoundResult]:
    return load_table_results(source, {table: rules_in_force}, source.rounds([table], days=(day, day))).get(table, [])


# --- The screen -----------------------------------------------------------------------------------------------------


def check_streak_screen(context: EventContext) -> Iterator[FindingDraft]:
    """STREAK-MISCOUNT (`law.streak`): the count on the table's screen must agree with the day's results, and the area
    must not flash for wagers while a streak is running."""
    rules_in_force, streak = context.rules_in_force, context.pack.law.streak if context.pack else None
    pay_table = rules_in_force.pay_table_for(None) if rules_in_force else None
    if rules_in_force is None or streak is None or pay_table is None or context.body.round is None:
        return
    results = _results_up_to_round(context, rules_in_force, context.body.round)
    if not results:
        return
    rules, wrong = rules_in_force.rules_for_pay_table(pay_table), []
    for shown in context.body.streaks:
        run = settle.compute_table_streak(rules, shown.pair, (each.result for each in results))
        is_counted_right = (shown.length, shown.side if shown.length else None) == (
            run.length,
            run.direction if run.length else None,
        )
        if not is_counted_right or (shown.flashing and not run.accepts_wagers):
            wrong.append((shown, run))
    if wrong:
        yield context.draft(
            STREAK_MISCOUNT,
            what=f"The count after round {context.body.round}",
            clause=streak.clause,
            found="had "
            + " and ".join(
                _streak_run_label(one.length, one.side or one.pair) + (" with a flashing area" if one.flashing else "")
                for one, _ in wrong
            )
            + " on its screen",
            required="stood at "
            + " and ".join(_streak_run_label(run.length, run.direction or one.pair) for one, run in wrong),
            evidence=[results[-1].index, *[each.index for each in results if each.is_corrected][-1:]],
        )


def _streak_run_label(length: int, side: str) -> str:
    return f"{length} in a row for {side}"


def _results_up_to_round(context: EventContext, rules: RulesInForce, name: str) -> list[TableRoundResult]:
    source, table = context.source, context.table
    named = context.cached_read(
        ("streak-days", table, context.event_time.date()), lambda: _candidate_gaming_days(context)
    )
    day = named.get(name)
    if day is None:
        return []
    played = context.cached_read(("streak-rounds", table, day), lambda: rounds_of_day(source, table, day, rules))
    place = next(place for place, each in enumerate(played) if each.round == name)
    return list(played[max(0, place + 1 - LONG_ENOUGH) : place + 1])


def _candidate_gaming_days(context: EventContext) -> dict[str, date]:
    """Gaming day by round name, for rounds of about this date. The screen's entry names its round but not its day."""
    today = context.event_time.date()
    about = (today - timedelta(days=2), today + timedelta(days=2))
    return {each.round: each.gaming_day for each in context.source.rounds([context.table], days=about)}


# --- The final call -------------------------------------------------------------------------------------------------


def check_final_call(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """STREAK-FINAL-CALL (`duties.streak_closing`): a streak wager placed after the final call."""
    duty = context.pack.duties.streak_closing
    made = [wager for wager in context.round.wagers if BETS[wager.bet].is_streak and wager.verdict == "open"]
    if duty is None or not duty.has_final_call or not made:
        return
    call = next((each for each in history.events_since_last(TABLE_OPENED) if _is_final_call(each)), None)
    for wager in made:
        if call is not None and wager.placed_at > call.at:
            yield round_history_draft(
                context,
                STREAK_FINAL_CALL,
                what=wager_label(wager.bet, wager.stake, wager.id),
                wager=wager.id,
                found=format_utc_clock(wager.placed_at),
                required=format_utc_clock(call.at),
                clause=duty.clause,
                evidence=[call.index],
            )


def check_final_call_at_closing(context: EventContext) -> Iterator[FindingDraft]:
    """STREAK-NO-CALL (`duties.streak_closing`): Super Streak was offered, a round was played under the closure sign,
    and no final call was made since the last closing."""
    rules, duty = context.rules_in_force, context.pack.duties.streak_closing if context.pack else None
    if rules is None or duty is None or not duty.has_final_call:
        return
    if not any(BETS[bet].is_streak for bet in rules.offered):
        return
    since = context.history.events_since_last(TABLE_CLOSED)
    sign = find_displayed_sign(since, "closure", context.body.sign)
    if sign is None or any(_is_final_call(each) for each in since):
        return
    played = context.source.rounds(
        [context.table], started=(sign.displayed_at - LONGEST_ROUND, context.event_time - ONE_MICROSECOND)
    )
    if any(each.ended_at > sign.displayed_at for each in played):
        found = context.format_local_time(context.event_time)
        yield context.draft(STREAK_NO_CALL, found=found, clause=duty.clause, evidence=[sign.index])


def _is_final_call(event: EventAt) -> bool:
    reader = SIGN_READERS.get(event.kind)
    content = reader(event) if reader else None
    return isinstance(content, SignContent) and content.purpose == "streak-final-call"


# --- Closing --------------------------------------------------------------------------------------------------------


def check_open_streaks_at_closing(context: EventContext) -> Iterator[FindingDraft]:
    """STREAK-OPEN-AT-CLOSE (`duties.streak_closing`): the table closed while streak wagers were not decided."""
    duty, opened_at = (
        context.pack.duties.streak_closing if context.pack else None,
        context.history.last_of_kind(TABLE_OPENED),
    )
    if duty is None or context.rules_in_force is None:
        return
    table, day = context.table, context.body.gaming_day
    since = opened_at.at if opened_at else None
    played = context.source.rounds([table], days=(day, day), started=(since, context.event_time))
    indexes = {each.index for each in played}
    if not context.source.placed_streaks([table], indexes=indexes):
        return
    for index, wager in _open_streak_wagers(context.source, indexes):
        ended = _deciding_round(context, wager, index)
        why = (f"By the results it was determined in round {ended.round}.",) if ended else ()
        yield context.draft(
            STREAK_OPEN_AT_CLOSE,
            what=wager_label(wager.bet, wager.stake, wager.id),
            wager=wager.id,
            found=context.format_local_time(context.event_time),
            clause=duty.clause,
            explanation=why,
            evidence=[index, *([ended.index] if ended else [])],
        )


def _open_streak_wagers(source: EntrySource, indexes: set[int]) -> list[tuple[int, Wager]]:
    """Streak wagers that were placed in these rounds and not ended in them. Independent of the order in which the
    rounds arrived."""
    made: dict[str, tuple[int, Wager]] = {}
    ended: set[str] = set()
    for entry in source.entries_at(indexes):
        played = round_from_entry(entry)
        for wager in played.wagers if played else ():
            if BETS[wager.bet].is_streak and wager.verdict == "open":
                made[wager.id] = (entry.index, wager)
            elif BETS[wager.bet].is_streak:
                ended.add(wager.id)
    return [one for wager, one in made.items() if wager not in ended]


def _deciding_round(context: EventContext, wager: Wager, index: int) -> TableRoundResult | None:
    """The round whose result ended the streak; None where it is still running."""
    rules_in_force = context.rules_in_force
    if rules_in_force is None:
        return None
    played = rounds_of_day(context.source, context.table, context.body.gaming_day, rules_in_force)
    place = next((place for place, each in enumerate(played) if each.index == index), None)
    return None if place is None else find_deciding_round(rules_in_force, wager, played[place], played[place + 1 :])


CHECKS = (
    TimelineCheck(
        frozenset({STREAK_MISCOUNT}), frozenset({STREAK_STATE}), check_streak_screen, LookBack(frozenset({ROUND}))
    ),
    TimelineCheck(
        frozenset({STREAK_NO_CALL}),
        frozenset({TABLE_CLOSED}),
        check_final_call_at_closing,
        LookBack(SIGN_KINDS | {TABLE_CLOSED, ROUND}),
    ),
    TimelineCheck(
        frozenset({STREAK_OPEN_AT_CLOSE}),
        frozenset({TABLE_CLOSED}),
        check_open_streaks_at_closing,
        LookBack(frozenset({TABLE_OPENED, ROUND})),
    ),
)
ROUND_CHECKS = (
    RoundHistoryCheck(frozenset({STREAK_FINAL_CALL}), check_final_call, LookBack(SIGN_KINDS | {TABLE_OPENED})),
)
