"""The checks and their registry. A check returns FindingDrafts; this module lists every check there is.

round/             checks decided by one round: settlement, wagers, procedure, displayed results, Super Streak
timeline/          checks that look back over earlier events: signs, limits, closings, chips, disputes, promotions
equipment/         checks of equipment over time: faults, dice, shakers, inspections, cards
feed.py            checks of the feed (gaps, clocks, silence, rejected lines) and of the log's own signatures
feed_rounds.py     checks of rounds against each other: names used twice, overlaps
feed_facts.py      checks of rounds against the casino's records: gaming days, unknown terminals
applicability.py   what each finding code means under one rule version: checked, silent, or not applicable
shared/            check_types.py: the dataclasses that declare a check; roles.py: positions behind a document's role

Four registries, by what a check is given:
* `ROUND_CHECKS`: one round (RoundContext). `STREAK_CHECKS` names the checks of round/streaks.py.
* `TIMELINE_CHECKS`: one entry that is not a round, and its history (EventContext).
* `ROUND_HISTORY_CHECKS`: one round, and the history of its table.
* `RANGE_CHECKS`: a range of entries of any kind, read by the check's own queries.

To add a check: write its function in a module of round/, timeline/ or equipment/ and add it to CHECKS or ROUND_CHECKS
of that module. The developer guide ("Add a finding code") lists the other files. Rules that make an audit give the same
result whenever it runs:
* A draft is about the entry being evaluated; that entry's block covers it. There is at most one finding per code and
  entry (and wager), so one draft must state everything that is wrong. Drafts of two checks that look back are merged.
* A check sees only the entry, the rules in force, and the history its LookBack declares. When an entry arrives late or
  is taken back, run/reaudit.py reopens the blocks that looked at it; the check need not care.
* A duty that nobody fulfilled is evaluated at the first entry that proves its deadline has passed (a closing, the next
  opening, a later record), by the entries' own times. Never by the clock.
* Where the pack says nothing (None), a check yields nothing.
"""

from __future__ import annotations

from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.catalogue.play_codes import ROUND_NO_RULES
from compliance.audit.checks import feed, feed_facts, feed_rounds
from compliance.audit.checks.equipment import (
    card_shoes,
    equipment_custody,
    faults,
    shift_inspections,
    unreported_faults,
    void_reports,
)
from compliance.audit.checks.round import (
    excluded_players,
    procedure,
    result_display,
    settlement,
    sign_limits,
    streaks,
    wagers,
)
from compliance.audit.checks.shared.check_types import RangeCheck, RoundCheck, RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.timeline import (
    chips,
    closings,
    disputes,
    followed_streaks,
    limit_notices,
    limits_shown,
    player_limit_signs,
    posted_odds,
    promotion_awards,
    promotions,
    streak_sessions,
    void_decisions,
)
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.streak_history import StreakHistory

ROUND_CHECKS: tuple[RoundCheck, ...] = (
    *settlement.CHECKS,
    *wagers.CHECKS,
    *procedure.CHECKS,
    *result_display.CHECKS,
    *sign_limits.CHECKS,
    *excluded_players.CHECKS,
)
STREAK_CHECKS = (streaks.SETTLED, streaks.WINDOW, streaks.AMOUNT, streaks.SCREEN)
TIMELINE_CHECKS: tuple[TimelineCheck, ...] = (
    *limit_notices.CHECKS,
    *limits_shown.CHECKS,
    *closings.CHECKS,
    *posted_odds.CHECKS,
    *streak_sessions.CHECKS,
    *faults.CHECKS,
    *unreported_faults.CHECKS,
    *void_reports.CHECKS,
    *void_decisions.CHECKS,
    *equipment_custody.CHECKS,
    *shift_inspections.CHECKS,
    *card_shoes.CHECKS,
    *chips.CHECKS,
    *disputes.CHECKS,
    *promotions.CHECKS,
    *promotion_awards.CHECKS,
    *feed.TIMELINE_CHECKS,
)
ROUND_HISTORY_CHECKS: tuple[RoundHistoryCheck, ...] = (
    *limits_shown.ROUND_CHECKS,
    *player_limit_signs.ROUND_CHECKS,
    *closings.ROUND_CHECKS,
    *streak_sessions.ROUND_CHECKS,
    *faults.ROUND_CHECKS,
    *unreported_faults.ROUND_CHECKS,
    *void_reports.ROUND_CHECKS,
    *equipment_custody.ROUND_CHECKS,
    *shift_inspections.ROUND_CHECKS,
    *chips.ROUND_CHECKS,
    *card_shoes.ROUND_CHECKS,
)
RANGE_CHECKS: tuple[RangeCheck, ...] = (
    *feed.RANGE_CHECKS,
    *feed_rounds.RANGE_CHECKS,
    *feed_facts.RANGE_CHECKS,
    *followed_streaks.RANGE_CHECKS,
)
# Name under which rounds without rules in force are recorded; they are reported before any check runs.
NO_RULES_CHECK = "rules"
ONE_ROUND = "One round"


def _codes_of(*checks: RoundCheck | RoundHistoryCheck | TimelineCheck | RangeCheck) -> frozenset[FindingCode]:
    return frozenset[FindingCode]().union(*(check.codes for check in checks))


def round_codes() -> frozenset[FindingCode]:
    """The codes of findings about rounds, for which screening must select the rounds."""
    return _codes_of(*ROUND_CHECKS, *ROUND_HISTORY_CHECKS) | streaks.CODES | {ROUND_NO_RULES}


def checked_codes() -> frozenset[FindingCode]:
    """The codes that some registered check can draft."""
    return round_codes() | _codes_of(*TIMELINE_CHECKS, *RANGE_CHECKS)


def codes_by_evidence() -> dict[str, frozenset[FindingCode]]:
    """The checked codes by what their checks read."""
    read = {
        ONE_ROUND: _codes_of(*ROUND_CHECKS) | {ROUND_NO_RULES},
        "The feed": _codes_of(
            *feed.TIMELINE_CHECKS, *feed.RANGE_CHECKS, *feed_rounds.RANGE_CHECKS, *feed_facts.RANGE_CHECKS
        ),
        "People's records": _codes_of(*disputes.CHECKS, *promotions.CHECKS, *promotion_awards.CHECKS),
    }
    return {**read, "A table's timeline": checked_codes().difference(*read.values())}


def reevaluated_check_names() -> frozenset[str]:
    """Names of the checks whose findings are compared and superseded whenever their subject is audited again."""
    names = (code.check_name for code in _codes_of(*TIMELINE_CHECKS, *ROUND_HISTORY_CHECKS, *RANGE_CHECKS))
    return frozenset({NO_RULES_CHECK, *STREAK_CHECKS, *(check.name for check in ROUND_CHECKS), *names})


def evaluate_round(context: RoundContext, streak_history: StreakHistory | None = None) -> list[FindingDraft]:
    """Everything that one round decides; for streaks, together with the table's earlier results."""
    drafts = [draft for check in ROUND_CHECKS for draft in check.evaluate(context)]
    return drafts + list(streaks.check_streaks(context, streak_history or StreakHistory()))
