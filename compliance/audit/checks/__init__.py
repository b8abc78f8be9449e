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

from compliance.audit.checks import (
    chips,
    closings,
    conduct,
    custody,
    disputes,
    faults,
    feed,
    limit_notices,
    limits_shown,
    player_signs,
    posted_odds,
    promotions,
    results_told,
    settlement,
    shifts,
    shoes,
    streak_tables,
    streaks,
    voids,
    wagers,
)
from compliance.audit.checks.ways_in import OverTime, RoundOverTime, StretchCheck
from compliance.audit.drafts import Draft, check_of
from compliance.audit.seen import RoundSeen
from compliance.audit.streaks import StreakBook


@dataclass(frozen=True)
class RoundCheck:
    """A check that one round decides. `judge` is exact."""

    name: str
    codes: frozenset[str]
    judge: Callable[[RoundSeen], Iterable[Draft]]


def _of_codes(judges: Mapping[str, Callable[[RoundSeen], Iterable[Draft]]]) -> Iterator[RoundCheck]:
    """Checks that have one code each, and bear its name."""
    return (RoundCheck(check_of(code), frozenset({code}), judge) for code, judge in judges.items())


ROUND_CHECKS = (
    RoundCheck(settlement.NAME, settlement.CODES, settlement.judge),
    RoundCheck(voids.DETERMINED, frozenset({"ROUND-REASON"}), voids.judge_determination),
    RoundCheck(wagers.OFFER, frozenset({"WAGER-UNAPPROVED", "WAGER-UNOFFERED"}), wagers.judge_offer),
    RoundCheck(wagers.TENDER, frozenset({"WAGER-TENDER"}), wagers.judge_tender),
    RoundCheck(wagers.LIMITS, frozenset({"LIMIT-OVER-MAX", "WAGER-UNDER-MIN"}), wagers.judge_limits),
    *_of_codes(
        {
            "ROUND-ORDER": conduct.judge_order,
            "ROUND-TUMBLES": conduct.judge_tumbles,
            "ROUND-EXPOSED": conduct.judge_exposed,
            "ROUND-NO-PRESS": conduct.judge_button,
            "ROUND-PAID-FIRST": conduct.judge_paying,
            "ROUND-REASON": conduct.judge_reason,
            "ROUND-CALLED": results_told.judge_call,
            "ROUND-ENTRY": results_told.judge_entry,
            "ROUND-LIT": results_told.judge_lights,
            "LIMIT-SOURCES": limits_shown.judge,
        }
    ),
    RoundCheck(results_told.DISPLAYED, frozenset({"ROUND-LIT"}), results_told.judge_display),
)
STREAK_CHECKS = (streaks.SETTLED, streaks.WINDOW, streaks.AMOUNT, streaks.SCREEN)
OVER_TIME: tuple[OverTime, ...] = (
    *limit_notices.CHECKS,
    *closings.CHECKS,
    *posted_odds.CHECKS,
    *streak_tables.CHECKS,
    *faults.CHECKS,
    *custody.CHECKS,
    *shifts.CHECKS,
    *shoes.CHECKS,
    *chips.CHECKS,
    *disputes.CHECKS,
    *promotions.CHECKS,
    *feed.OVER_TIME,
)
ROUNDS_OVER_TIME: tuple[RoundOverTime, ...] = (
    *player_signs.ROUND_CHECKS,
    *streak_tables.ROUND_CHECKS,
    *faults.ROUND_CHECKS,
    *shifts.ROUND_CHECKS,
    *chips.ROUND_CHECKS,
    *shoes.ROUND_CHECKS,
)
STRETCH_CHECKS: tuple[StretchCheck, ...] = feed.STRETCH_CHECKS
# Rounds that nothing governs are flagged before any check can look at them.
NO_RULES = "rules"


def _codes_over_time() -> frozenset[str]:
    checks: tuple[OverTime | RoundOverTime | StretchCheck, ...] = (*OVER_TIME, *ROUNDS_OVER_TIME, *STRETCH_CHECKS)
    return frozenset[str]().union(*(check.codes for check in checks))


def checked_codes() -> frozenset[str]:
    of_rounds = frozenset({"ROUND-NO-RULES"}).union(streaks.CODES, *(check.codes for check in ROUND_CHECKS))
    return of_rounds | _codes_over_time()


def check_names() -> frozenset[str]:
    """Of the checks whose findings are judged afresh whenever their subject is."""
    over_time = map(check_of, _codes_over_time())
    return frozenset({NO_RULES, *STREAK_CHECKS, *(check.name for check in ROUND_CHECKS), *over_time})


def judge_round(seen: RoundSeen, book: StreakBook | None = None) -> list[Draft]:
    """All that one round and, for streaks, the results before it decide."""
    drafts = [draft for check in ROUND_CHECKS for draft in check.judge(seen)]
    return drafts + list(streaks.judge(seen, book or StreakBook()))
