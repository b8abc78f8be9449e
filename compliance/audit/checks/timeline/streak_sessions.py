"""Checks of Super Streak over a session of a table: the screen's count, the final call, streaks left open at a
closing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from compliance.audit.catalogue.play_codes import STREAK_FINAL_CALL, STREAK_MISCOUNT, STREAK_OPEN_AT_CLOSE
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.timeline.signs import SIGN_KINDS, SIGN_READERS, SignContent
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft, wager_label
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.streak_history import TableRoundResult, find_deciding_round, load_table_results
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from compliance.audit.models import OpenedStreak, PackedRound
from compliance.audit.projections.rounds import round_from_entry
from rounds.engine import BETS, RulesInForce, settle
from rounds.intake.entry_kinds import ROUND, STREAK_STATE, TABLE_CLOSED, TABLE_OPENED
from rounds.intake.protocol.round import Wager
from rounds.ledger import read_entries_at

# Longer than any streak. Counting a whole day again after each of its rounds would be too slow.
LONG_ENOUGH = 64


def rounds_of_day(log: str, table: str, day: date, rules_in_force: RulesInForce) -> list[TableRoundResult]:
    played = PackedRound.objects.filter(table=table, gaming_day=day)
    return load_table_results(log, {table: rules_in_force}, played).get(table, [])


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
            found=" and ".join(
                _streak_run_label(one.length, one.side or one.pair) + (" with a flashing area" if one.flashing else "")
                for one, _ in wrong
            )
            + " on its screen",
            required=" and ".join(_streak_run_label(run.length, run.direction or one.pair) for one, run in wrong),
            evidence=[results[-1].index, *[each.index for each in results if each.is_corrected][-1:]],
        )


def _streak_run_label(length: int, side: str) -> str:
    return f"{length} in a row for {side}"


def _results_up_to_round(context: EventContext, rules: RulesInForce, name: str) -> list[TableRoundResult]:
    log, table = context.casino.slug, context.table
    named = context.cached_read(
        ("streak-days", table, context.event_time.date()), lambda: _candidate_gaming_days(context)
    )
    day = named.get(name)
    if day is None:
        return []
    played = context.cached_read(("streak-rounds", table, day), lambda: rounds_of_day(log, table, day, rules))
    place = next(place for place, each in enumerate(played) if each.round == name)
    return played[max(0, place + 1 - LONG_ENOUGH) : place + 1]


def _candidate_gaming_days(context: EventContext) -> dict[str, date]:
    """Gaming day by round name, for rounds of about this date. The screen's entry names its round but not its day."""
    today = context.event_time.date()
    about = (today - timedelta(days=2), today + timedelta(days=2))
    rows = PackedRound.objects.filter(log=context.casino.slug, table=context.table, taken_back_index=None)
    return dict(rows.filter(gaming_day__range=about).values_list("round", "gaming_day"))


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
                found=f"{wager.placed_at:%H:%M:%S} UTC",
                required=f"{call.at:%H:%M:%S} UTC",
                clause=duty.clause,
                evidence=[call.index],
            )


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
    log, table, day = context.casino.slug, context.table, context.body.gaming_day
    rows = PackedRound.objects.filter(
        log=log, table=table, gaming_day=day, taken_back_index=None, started_at__lte=context.event_time
    )
    if opened_at is not None:
        rows = rows.filter(started_at__gte=opened_at.at)
    indexes = set(rows.values_list("entry_index", flat=True))
    if not OpenedStreak.objects.filter(log=log, entry_index__in=indexes).exists():
        return
    for index, wager in _open_streak_wagers(log, indexes):
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


def _open_streak_wagers(log: str, indexes: set[int]) -> list[tuple[int, Wager]]:
    """Streak wagers that were placed in these rounds and not ended in them. Independent of the order in which the
    rounds arrived."""
    made: dict[str, tuple[int, Wager]] = {}
    ended: set[str] = set()
    for entry in read_entries_at(log, indexes):
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
    played = rounds_of_day(context.casino.slug, context.table, context.body.gaming_day, rules_in_force)
    place = next((place for place, each in enumerate(played) if each.index == index), None)
    return None if place is None else find_deciding_round(rules_in_force, wager, played[place], played[place + 1 :])


CHECKS = (
    TimelineCheck(
        frozenset({STREAK_MISCOUNT}), frozenset({STREAK_STATE}), check_streak_screen, LookBack(frozenset({ROUND}))
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
