"""Super Streak wagers: when one may be placed and for how much, and what is due when its streak ends."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue import play_codes as codes
from compliance.audit.checks.round.settlement import reading_texts
from compliance.audit.context.finding_draft import FindingDraft, format_amount, round_draft, wager_label
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.streak_history import StreakHistory
from rounds.engine import BETS, EngineError, Rules, Settlement, Verdict, WagerQuestion, settle, settle_wager
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.protocol.round import Wager

SETTLED, WINDOW, AMOUNT, SCREEN = "streak", "streak-window", "streak-amount", "streak-screen"
CODES = frozenset({codes.STREAK_MISCOUNT, codes.STREAK_WINDOW, codes.STREAK_AMOUNT, codes.STREAK_SCREEN})


def check_streaks(context: RoundContext, streak_history: StreakHistory) -> Iterator[FindingDraft]:
    """The streak wagers placed in this round, and those whose streak it ended."""
    pay_table = context.rules_in_force.pay_table_for(None)
    streaks = [wager for wager in context.round.wagers if BETS[wager.bet].is_streak]
    if not streaks or context.pack.law.streak is None or pay_table is None:
        return
    rules = context.rules_in_force.rules_for_pay_table(pay_table)
    for wager in streaks:
        if wager.verdict == "open":
            yield from _check_streak_offer(context, wager)
            yield from _check_betting_window(context, wager, rules, streak_history)
        elif _was_taken(context, wager, streak_history):
            yield from _check_streak_settlement(context, wager, rules, streak_history)


def _was_taken(context: RoundContext, wager: Wager, streak_history: StreakHistory) -> bool:
    """False for a wager that was refused when it was to be placed. One in play can no longer be refused."""
    return wager.verdict != "refused" or streak_history.results_since_wager(context, wager.id) is not None


def _streak_wager_label(wager: Wager) -> str:
    return wager_label(wager.bet, wager.stake, wager.id)


def _check_streak_offer(context: RoundContext, wager: Wager) -> Iterator[FindingDraft]:
    """STREAK-AMOUNT and STREAK-SCREEN (`duties.streak_offer`): the stake on the sign, and the screen and layout of the
    table."""
    offer, equipment = context.pack.duties.streak_offer, context.rules_in_force.equipment
    if offer is None:
        return
    on_record, reported = context.rules_in_force.streak_amount_cents, context.round.streak_amount
    required = on_record if on_record is not None else reported
    if required is not None and offer.amount_is_exact and wager.stake != required:
        yield round_draft(
            context,
            codes.STREAK_AMOUNT,
            AMOUNT,
            what=_streak_wager_label(wager),
            required=format_amount(required),
            found=format_amount(wager.stake),
            wager=wager.id,
            clause=offer.amount_clause,
            required_cents=required,
            found_cents=wager.stake,
        )
    if equipment.screen not in offer.screens or equipment.layout not in offer.layouts:
        screen = "no screen" if equipment.screen == "none" else f"a {equipment.screen} screen"
        layout = f"layout {equipment.layout}" if equipment.layout else "no layout on record"
        yield round_draft(
            context,
            codes.STREAK_SCREEN,
            SCREEN,
            what=_streak_wager_label(wager),
            wager=wager.id,
            clause=offer.clause,
            required=f"a {' or '.join(offer.screens)} screen and layout {' or '.join(offer.layouts)} are needed",
            found=f"was taken at a table with {screen} and {layout}",
        )


def _check_betting_window(
    context: RoundContext, wager: Wager, rules: Rules, streak_history: StreakHistory
) -> Iterator[FindingDraft]:
    """STREAK-WINDOW (`duties.streak_offer`): allowed only after the day's first result, or when a streak has just
    ended. checks/timeline/followed_streaks.py checks that the next round had not begun."""
    offer, today = context.pack.duties.streak_offer, context.round.gaming_day
    known = [each for each in streak_history.results_up_to(context) if each.day == today]
    if offer is None:
        return
    run = settle.compute_table_streak(rules, BETS[wager.bet].streak_pair, [each.result for each in known])
    if not run.has_opened:
        when = "before any result of the day that counts for a streak"
    elif not run.accepts_wagers:
        when = "while a streak was running"
    elif known and wager.placed_at < known[-1].shown_at:
        when = f"before the result was in sight at {format_utc_clock(known[-1].shown_at)}"
    else:
        return
    yield round_draft(
        context,
        codes.STREAK_WINDOW,
        WINDOW,
        what=_streak_wager_label(wager),
        wager=wager.id,
        clause=offer.window_clause,
        required="only after the day's first result or when a streak had just ended",
        found=f"{format_utc_clock(wager.placed_at)} {when}",
    )


def settled_streak_questions(
    context: RoundContext, streak_history: StreakHistory
) -> Iterator[tuple[Rules, WagerQuestion]]:
    """The streaks that this round ended and whose beginning is known, as questions to the engine."""
    pay_table = context.rules_in_force.pay_table_for(None)
    if context.pack.law.streak is None or pay_table is None:
        return
    for wager in context.round.wagers:
        if BETS[wager.bet].is_streak and wager.verdict != "open" and _was_taken(context, wager, streak_history):
            question = _streak_question(context, wager, streak_history)
            if question is not None:
                yield context.rules_in_force.rules_for_pay_table(pay_table), question


def _streak_question(context: RoundContext, wager: Wager, streak_history: StreakHistory) -> WagerQuestion | None:
    """None for a wager whose placing was never reported."""
    results = streak_history.results_since_wager(context, wager.id)
    if results is None:
        return None
    opening, after = results
    return context.streak_question(wager, opening.result.outcome, [each.result for each in after])


def _check_streak_settlement(
    context: RoundContext, wager: Wager, rules: Rules, streak_history: StreakHistory
) -> Iterator[FindingDraft]:
    """STREAK-MISCOUNT (`law.streak`), or SETTLE-READING where the amount is right under another reading."""
    if _was_refunded_later(context, wager):
        return
    question = _streak_question(context, wager, streak_history)
    if question is None:
        yield _miscount_draft(context, wager, None, "was never reported as made", ())
        return
    try:
        settled = settle_wager(rules, question)
    except EngineError as error:
        yield _miscount_draft(context, wager, None, f"cannot be settled ({error.message})", ())
        return
    if settled.verdict is Verdict.OPEN:
        yield _miscount_draft(context, wager, None, "was still running", settle.explain_settlement(settled))
    elif settled.returned_cents != wager.returned:
        yield _wrong_settlement_draft(context, wager, rules, question, settled)


def _was_refunded_later(context: RoundContext, wager: Wager) -> bool:
    """The outcome that ended the streak was invalidated later and the stake refunded, so the streak cannot continue."""
    refunded = (
        context.later_decisions.refunds.get(wager.id, 0)
        if context.later_decisions is not None and context.is_voided_later
        else 0
    )
    return refunded > 0 and (wager.returned or 0) + refunded >= wager.stake


def _wrong_settlement_draft(
    context: RoundContext, wager: Wager, rules: Rules, question: WagerQuestion, settled: Settlement
) -> FindingDraft:
    for other in settle.alternative_settlements(rules, question, settled):
        if other.returned_cents is not None and other.returned_cents == wager.returned:
            reading = context.pack.readings[other.reading]
            adopted = context.rules_in_force.readings.get(other.reading, reading.default)
            what, found, required = reading_texts(reading.clause, other.reading, other.choice, adopted)
            return round_draft(
                context,
                codes.SETTLE_READING,
                f"reading:{other.reading}",
                what=what,
                required=required,
                found=found,
                wager=wager.id,
                clause=reading.clause,
                required_cents=settled.returned_cents,
                found_cents=wager.returned,
                explanation=settle.explain_settlement(settled),
                reading=(other.reading, other.choice),
            )
    return _miscount_draft(
        context,
        wager,
        settled.returned_cents,
        f"ended with {format_amount(settled.returned_cents)} due",
        settle.explain_settlement(settled),
    )


def _miscount_draft(
    context: RoundContext, wager: Wager, due: int | None, required: str, explanation: tuple[str, ...]
) -> FindingDraft:
    assert context.pack.law.streak is not None
    return round_draft(
        context,
        codes.STREAK_MISCOUNT,
        SETTLED,
        what=_streak_wager_label(wager),
        required=required,
        found=f"settled it and handed back {format_amount(wager.returned)}",
        wager=wager.id,
        clause=context.pack.law.streak.pays_clause,
        required_cents=due,
        found_cents=wager.returned,
        explanation=explanation,
    )
