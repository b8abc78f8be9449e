"""The checks. Each is a quick look over many rounds at once and the exact judgement of one round.

positions.py   a wager as it stood when betting closed; wagers that count together
mistakes.py    what was due for a wager, and the code of what was done instead
voids.py       rounds that should have been void
settlement.py  the money of every wager
wagers.py      approved and offered boxes, tender, limits
conduct.py     order of events, tumbles, exposure, the button, reasons for no result
results_told.py  the result as called, entered, lit and displayed;  limits_shown.py  the sign in a round
streaks.py     Super Streak, by the results since a wager was made
signs.py       which signs stood at a table;  limit_notices.py  minimums raised;  closings.py  tables closed
posted_odds.py odds as a table posts and words them
player_signs.py, streak_tables.py, faults.py, custody.py (dice, shakers, inspections), shifts.py (inspections at each
start of a shift), shoes.py (cards), chips.py
disputes.py    the ladder of a dispute, its advice, its times, its money
promotions.py  terms, draws, claims: what marketing recorded
feed.py        numbers, clocks, silence and refusals of the feed; the log's own signatures and verifications
quick.py       the quick looks, over columns
ways_in.py     how a check over time is written: of signs, closings, faults, custody, the feed, people's records

`ROUND_CHECKS` are decided by one round. `OVER_TIME`, `ROUNDS_OVER_TIME` and `STRETCH_CHECKS` look at more: ways_in.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from compliance.audit.checks import feed
from compliance.audit.checks.round import procedure, result_display, settlement, sign_limits, streaks, voids, wagers
from compliance.audit.checks.shared.contracts import RangeCheck, RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.timeline import (
    card_shoes,
    chips,
    closings,
    disputes,
    equipment_custody,
    faults,
    limit_notices,
    player_limit_signs,
    posted_odds,
    promotions,
    shift_inspections,
    streak_sessions,
)
from compliance.audit.context.finding_draft import FindingDraft, check_name_for
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.streak_history import StreakHistory


@dataclass(frozen=True)
class RoundCheck:
    """A check that one round decides. `judge` is exact."""

    name: str
    codes: frozenset[str]
    evaluate: Callable[[RoundContext], Iterable[FindingDraft]]


def _checks_by_code(evaluators: Mapping[str, Callable[[RoundContext], Iterable[FindingDraft]]]) -> Iterator[RoundCheck]:
    """Checks that have one code each, and bear its name."""
    return (RoundCheck(check_name_for(code), frozenset({code}), judge) for code, judge in evaluators.items())


ROUND_CHECKS = (
    RoundCheck(settlement.CHECK_NAME, settlement.CODES, settlement.check_settlement),
    RoundCheck(voids.LATER_VOID_CHECK, frozenset({"ROUND-REASON"}), voids.check_later_void),
    RoundCheck(wagers.OFFER, frozenset({"WAGER-UNAPPROVED", "WAGER-UNOFFERED"}), wagers.check_offered_bets),
    RoundCheck(wagers.TENDER, frozenset({"WAGER-TENDER"}), wagers.check_tender),
    RoundCheck(wagers.LIMITS, frozenset({"LIMIT-OVER-MAX", "WAGER-UNDER-MIN"}), wagers.check_limits),
    *_checks_by_code(
        {
            "ROUND-ORDER": procedure.check_event_order,
            "ROUND-TUMBLES": procedure.check_tumbles,
            "ROUND-EXPOSED": procedure.check_early_exposure,
            "ROUND-NO-PRESS": procedure.check_button_pressed,
            "ROUND-PAID-FIRST": procedure.check_payout_order,
            "ROUND-REASON": procedure.check_void_reason,
            "ROUND-CALLED": result_display.check_called_result,
            "ROUND-ENTRY": result_display.check_entered_result,
            "ROUND-LIT": result_display.check_lit_areas,
            "LIMIT-SOURCES": sign_limits.check_sign_limits,
        }
    ),
    RoundCheck(result_display.DISPLAY_CHECK, frozenset({"ROUND-LIT"}), result_display.check_displayed_result),
)
STREAK_CHECKS = (streaks.SETTLED, streaks.WINDOW, streaks.AMOUNT, streaks.SCREEN)
TIMELINE_CHECKS: tuple[TimelineCheck, ...] = (
    *limit_notices.CHECKS,
    *closings.CHECKS,
    *posted_odds.CHECKS,
    *streak_sessions.CHECKS,
    *faults.CHECKS,
    *equipment_custody.CHECKS,
    *shift_inspections.CHECKS,
    *card_shoes.CHECKS,
    *chips.CHECKS,
    *disputes.CHECKS,
    *promotions.CHECKS,
    *feed.TIMELINE_CHECKS,
)
ROUND_HISTORY_CHECKS: tuple[RoundHistoryCheck, ...] = (
    *player_limit_signs.ROUND_CHECKS,
    *streak_sessions.ROUND_CHECKS,
    *faults.ROUND_CHECKS,
    *shift_inspections.ROUND_CHECKS,
    *chips.ROUND_CHECKS,
    *card_shoes.ROUND_CHECKS,
)
RANGE_CHECKS: tuple[RangeCheck, ...] = feed.RANGE_CHECKS
# Rounds that nothing governs are flagged before any check can look at them.
NO_RULES_CHECK = "rules"


def _timeline_codes() -> frozenset[str]:
    checks: tuple[TimelineCheck | RoundHistoryCheck | RangeCheck, ...] = (
        *TIMELINE_CHECKS,
        *ROUND_HISTORY_CHECKS,
        *RANGE_CHECKS,
    )
    return frozenset[str]().union(*(check.codes for check in checks))


def checked_codes() -> frozenset[str]:
    of_rounds = frozenset({"ROUND-NO-RULES"}).union(streaks.CODES, *(check.codes for check in ROUND_CHECKS))
    return of_rounds | _timeline_codes()


def reevaluated_check_names() -> frozenset[str]:
    """Of the checks whose findings are judged afresh whenever their subject is."""
    over_time = map(check_name_for, _timeline_codes())
    return frozenset({NO_RULES_CHECK, *STREAK_CHECKS, *(check.name for check in ROUND_CHECKS), *over_time})


def evaluate_round(context: RoundContext, streak_history: StreakHistory | None = None) -> list[FindingDraft]:
    """All that one round and, for streaks, the results before it decide."""
    drafts = [draft for check in ROUND_CHECKS for draft in check.evaluate(context)]
    return drafts + list(streaks.check_streaks(context, streak_history or StreakHistory()))
