"""Super Streak: when a wager may be made and for how much, and what is due when its run ends."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.drafts import Draft, about_round, amount, wager_words
from compliance.audit.seen import RoundSeen
from compliance.audit.streaks import StreakBook
from rounds.engine.alternatives import alternatives
from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError
from rounds.engine.explain import explain
from rounds.engine.rules import Rules
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Settlement, Verdict, WagerAsked
from rounds.engine.streak import TableResult, may_bet
from rounds.intake.kinds.round import Wager

SETTLED, WINDOW, AMOUNT, SCREEN = "streak", "streak-window", "streak-amount", "streak-screen"
CODES = frozenset({"STREAK-MISCOUNT", "STREAK-WINDOW", "STREAK-AMOUNT", "STREAK-SCREEN"})


def judge(seen: RoundSeen, book: StreakBook) -> Iterator[Draft]:
    """Wagers newly made after this round, and those whose run this round ended."""
    pay_table = seen.circumstances.pay_table_of(None)
    streaks = [wager for wager in seen.round.wagers if BETS[wager.bet].is_streak]
    if not streaks or seen.pack.law.streak is None or pay_table is None:
        return
    rules = seen.circumstances.rules(pay_table)
    for wager in streaks:
        if wager.verdict == "open":
            yield from _offer(seen, wager)
            yield from _window(seen, wager, rules, book)
        elif wager.verdict != "refused":
            yield from _settled(seen, wager, rules, book)


def _words(wager: Wager) -> str:
    return wager_words(wager.bet, wager.stake, wager.id)


def _offer(seen: RoundSeen, wager: Wager) -> Iterator[Draft]:
    offer, equipment = seen.pack.duties.streak_offer, seen.circumstances.equipment
    if offer is None:
        return
    required = seen.circumstances.streak_amount_cents
    if required is not None and offer.amount_is_exact and wager.stake != required:
        yield about_round(
            seen, "STREAK-AMOUNT", AMOUNT, what=_words(wager), required=amount(required), found=amount(wager.stake),
            wager=wager.id, clause=offer.amount_clause, required_cents=required, found_cents=wager.stake,
        )  # fmt: skip
    if equipment.screen not in offer.screens or equipment.layout not in offer.layouts:
        screen = "no screen" if equipment.screen == "none" else f"a {equipment.screen} screen"
        layout = f"layout {equipment.layout}" if equipment.layout else "no layout on record"
        yield about_round(
            seen, "STREAK-SCREEN", SCREEN, what=_words(wager), wager=wager.id, clause=offer.clause,
            required=f"a {' or '.join(offer.screens)} screen and layout {' or '.join(offer.layouts)} are needed",
            found=f"was taken at a table with {screen} and {layout}",
        )  # fmt: skip


def _window(seen: RoundSeen, wager: Wager, rules: Rules, book: StreakBook) -> Iterator[Draft]:
    """Only after the day's first result, or when a streak has just ended."""
    offer, today = seen.pack.duties.streak_offer, seen.round.gaming_day
    results = [
        TableResult(result.outcome, result.have_lights_failed) for result in book.up_to(seen) if result.day == today
    ]
    if offer is not None and not may_bet(rules, BETS[wager.bet], results):
        yield about_round(
            seen, "STREAK-WINDOW", WINDOW, what=_words(wager), wager=wager.id, clause=offer.window_clause,
            required="only after the day's first result or when a streak had just ended",
            found=f"{wager.placed_at:%H:%M:%S} UTC while a streak was running",
        )  # fmt: skip


def settled_streaks(seen: RoundSeen, book: StreakBook) -> Iterator[tuple[Rules, WagerAsked]]:
    """The runs that this round ended and whose beginning is known, as questions to the engine."""
    pay_table = seen.circumstances.pay_table_of(None)
    if seen.pack.law.streak is None or pay_table is None:
        return
    for wager in seen.round.wagers:
        if BETS[wager.bet].is_streak and wager.verdict not in ("open", "refused"):
            asked = _asked(seen, wager, book)
            if asked is not None:
                yield seen.circumstances.rules(pay_table), asked


def _asked(seen: RoundSeen, wager: Wager, book: StreakBook) -> WagerAsked | None:
    """None for a wager that was never reported as made."""
    followed = book.since_opened(seen, wager.id)
    if followed is None:
        return None
    opening, after = followed
    return WagerAsked(
        bet=BETS[wager.bet], stake_cents=wager.stake, opening=opening.outcome,
        history=tuple(result.outcome for result in after), void_reason=seen.void_reason,
        have_lights_failed=seen.have_lights_failed, is_promotional_token=wager.tender == "promotional-token",
    )  # fmt: skip


def _settled(seen: RoundSeen, wager: Wager, rules: Rules, book: StreakBook) -> Iterator[Draft]:
    if _was_made_good(seen, wager):
        return
    asked = _asked(seen, wager, book)
    if asked is None:
        yield _miscount(seen, wager, None, "a wager that was never reported as made", ())
        return
    try:
        settled = settle_under(rules, asked)
    except EngineError as error:
        yield _miscount(seen, wager, None, error.message, ())
        return
    if settled.verdict is Verdict.OPEN:
        yield _miscount(seen, wager, None, "a streak that is still running", explain(settled))
    elif settled.returned_cents != wager.returned:
        yield _wrong(seen, wager, rules, asked, settled)


def _was_made_good(seen: RoundSeen, wager: Wager) -> bool:
    """The outcome that ended it was invalidated later, and the stake went back: it cannot run on any more."""
    refunded = seen.voided.refunds.get(wager.id, 0) if seen.voided is not None and seen.is_voided_later else 0
    return refunded > 0 and (wager.returned or 0) + refunded >= wager.stake


def _wrong(seen: RoundSeen, wager: Wager, rules: Rules, asked: WagerAsked, settled: Settlement) -> Draft:
    for other in alternatives(rules, asked, settled):
        if other.returned_cents is not None and other.returned_cents == wager.returned:
            reading = seen.pack.readings[other.reading]
            adopted = seen.circumstances.readings.get(other.reading, reading.default)
            return about_round(
                seen, "SETTLE-READING", f"reading:{other.reading}", what=f"clause {reading.clause} ({other.reading})",
                required=f"“{adopted}”", found=f"“{other.choice}”", wager=wager.id, clause=reading.clause,
                required_cents=settled.returned_cents, found_cents=wager.returned, explanation=explain(settled),
                reading=(other.reading, other.choice),
            )  # fmt: skip
    return _miscount(seen, wager, settled.returned_cents, f"{amount(settled.returned_cents)} due", explain(settled))


def _miscount(seen: RoundSeen, wager: Wager, due: int | None, required: str, explanation: tuple[str, ...]) -> Draft:
    assert seen.pack.law.streak is not None
    return about_round(
        seen, "STREAK-MISCOUNT", SETTLED, what=_words(wager), required=required,
        found=f"it settled with {amount(wager.returned)} handed back", wager=wager.id,
        clause=seen.pack.law.streak.pays_clause, required_cents=due, found_cents=wager.returned,
        explanation=explanation,
    )  # fmt: skip
