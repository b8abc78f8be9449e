"""The checks and their registry. A check returns FindingDrafts; this module lists every check there is.

round/             checks decided by one round: settlement, wagers, procedure, displayed results, Super Streak
timeline/          checks that look back over earlier events: signs, closings, faults, equipment, disputes, promotions
feed.py            checks of the feed (gaps, clocks, silence, rejected lines) and of the log's own signatures
applicability.py   what each finding code means under one rule version: checked, silent, or not applicable
shared/            check_types.py: the dataclasses that declare a check; roles.py: positions behind a document's role

Four registries, by what a check is given:
* `ROUND_CHECKS`: one round (RoundContext). `STREAK_CHECKS` names the checks of round/streaks.py.
* `TIMELINE_CHECKS`: one entry that is not a round, and its history (EventContext).
* `ROUND_HISTORY_CHECKS`: one round, and the history of its table.
* `RANGE_CHECKS`: a range of entries of any kind, read by the check's own queries.

To add a check: write its function in a module of round/ or timeline/, add it to one of the registries, and add its
codes to the catalogue. For checks of rounds, screening/ must select the rounds: screen.py by their own columns,
affected_rounds.py by their history. Rules that make an audit give the same result whenever it runs:
* A draft is about the entry being evaluated; that entry's block covers it. There is at most one finding per code and
  entry (and wager), so one draft must state everything that is wrong.
* A check sees only the entry, the rules in force, and the history its LookBack declares. When an entry arrives late or
  is taken back, run/reaudit.py reopens the blocks that looked at it; the check need not care.
* A duty that nobody fulfilled is evaluated at the first entry that proves its deadline has passed (a closing, the next
  opening, a later record), by the entries' own times. Never by the clock.
* Where the pack says nothing (None), a check yields nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from compliance.audit.checks import feed
from compliance.audit.checks.round import procedure, result_display, settlement, sign_limits, streaks, voids, wagers
from compliance.audit.checks.shared.check_types import RangeCheck, RoundHistoryCheck, TimelineCheck
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
    """A check decided by one round alone. `evaluate` is the exact check; screening only decides whether it runs."""

    name: str
    codes: frozenset[str]
    evaluate: Callable[[RoundContext], Iterable[FindingDraft]]


def _checks_by_code(evaluators: Mapping[str, Callable[[RoundContext], Iterable[FindingDraft]]]) -> Iterator[RoundCheck]:
    """One RoundCheck per code, named after the code."""
    return (RoundCheck(check_name_for(code), frozenset({code}), evaluate) for code, evaluate in evaluators.items())


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
# Name under which rounds without rules in force are recorded; they are reported before any check runs.
NO_RULES_CHECK = "rules"


def _timeline_codes() -> frozenset[str]:
    checks: tuple[TimelineCheck | RoundHistoryCheck | RangeCheck, ...] = (
        *TIMELINE_CHECKS,
        *ROUND_HISTORY_CHECKS,
        *RANGE_CHECKS,
    )
    return frozenset[str]().union(*(check.codes for check in checks))


def checked_codes() -> frozenset[str]:
    """The codes that some registered check can draft."""
    of_rounds = frozenset({"ROUND-NO-RULES"}).union(streaks.CODES, *(check.codes for check in ROUND_CHECKS))
    return of_rounds | _timeline_codes()


def reevaluated_check_names() -> frozenset[str]:
    """Names of the checks whose findings are compared and superseded whenever their subject is audited again."""
    timeline_names = map(check_name_for, _timeline_codes())
    return frozenset({NO_RULES_CHECK, *STREAK_CHECKS, *(check.name for check in ROUND_CHECKS), *timeline_names})


def evaluate_round(context: RoundContext, streak_history: StreakHistory | None = None) -> list[FindingDraft]:
    """Everything that one round decides; for streaks, together with the table's earlier results."""
    drafts = [draft for check in ROUND_CHECKS for draft in check.evaluate(context)]
    return drafts + list(streaks.check_streaks(context, streak_history or StreakHistory()))
