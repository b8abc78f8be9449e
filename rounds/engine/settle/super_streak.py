"""Super Streak: the run of one wager over later results, and whether a table accepts new streak wagers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from rounds.engine.bets.bet_codes import STREAK_PAIRS, Bet
from rounds.engine.bets.dice_outcomes import Outcome, outcome_index
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.compiled_rules import BREAKS_STREAK, NEUTRAL, Rules
from rounds.engine.pack.payout_law import StreakRules
from rounds.engine.settle.settlement import SettlementStep, SettlementStepKind, WagerQuestion

NO_RESULT = "no-result"


class StreakEnd(StrEnum):
    RUNNING = "running"
    CHANGED_OVER = "changed-over"
    LONGEST = "longest"
    FAULT = "fault"
    REFUNDED = "refunded"


@dataclass(frozen=True, slots=True)
class StreakRun:
    """The state of one streak wager: its direction, the results counted, and how the run ended."""

    direction: str | None
    count: int
    end: StreakEnd
    steps: tuple[SettlementStep, ...]


def follow_streak(streak: StreakRules, sides: Mapping[str, tuple[str, ...]], question: WagerQuestion) -> StreakRun:
    """Replays the results after the wager. Triples and rounds without a result neither extend nor end the run."""
    side_at = sides[question.bet.streak_pair]
    opening = None if question.opening is None else side_at[outcome_index(question.opening)]
    direction = _initial_direction(streak, question.bet, opening)
    count, end = _streak_length_at_wager(streak, direction, opening), StreakEnd.RUNNING
    unchanged_counts: dict[str, int] = {}
    for outcome in question.history:
        side = NO_RESULT if outcome is None else side_at[outcome_index(outcome)]
        if side in (NO_RESULT, NEUTRAL):
            unchanged_counts[side] = unchanged_counts.get(side, 0) + 1
            continue
        if direction is None:
            _require_direction_from_first_result(streak, question.bet)
            # A result on neither side sets no direction.
            direction = None if side == BREAKS_STREAK else side
            count = 0 if direction is None else 1
            continue
        if side != direction:
            end = StreakEnd.CHANGED_OVER
            break
        count += 1
        if count == streak.longest:
            end = StreakEnd.LONGEST
            break
    if end is StreakEnd.RUNNING and question.have_lights_failed:
        is_refund = streak.on_fault == "refund" and streak.odds_at(count) is None
        end = StreakEnd.REFUNDED if is_refund else StreakEnd.FAULT
    steps = _streak_steps(streak, question, direction, count, end, unchanged_counts)
    return StreakRun(direction, count, end, tuple(steps))


def _streak_steps(
    streak: StreakRules,
    question: WagerQuestion,
    direction: str | None,
    count: int,
    end: StreakEnd,
    unchanged_counts: Mapping[str, int],
) -> Iterator[SettlementStep]:
    if direction is not None:
        yield SettlementStep(SettlementStepKind.STREAK_DIRECTION, figures=(direction,))
    if NEUTRAL in unchanged_counts:
        yield SettlementStep(
            SettlementStepKind.STREAK_NEUTRAL, streak.neutral_clause, figures=(unchanged_counts[NEUTRAL],)
        )
    if NO_RESULT in unchanged_counts:
        yield SettlementStep(
            SettlementStepKind.STREAK_NO_RESULT, streak.no_result_clause, figures=(unchanged_counts[NO_RESULT],)
        )
    yield SettlementStep(SettlementStepKind.STREAK_COUNT, figures=(count,))
    if end is StreakEnd.CHANGED_OVER:
        yield SettlementStep(SettlementStepKind.STREAK_ENDED, streak.clause)
    elif end is StreakEnd.LONGEST:
        yield SettlementStep(SettlementStepKind.STREAK_LONGEST, streak.pays_clause)
    elif end is StreakEnd.FAULT:
        yield SettlementStep(SettlementStepKind.STREAK_FAULT, streak.fault_clause, figures=(count,))
    elif end is StreakEnd.REFUNDED:
        # Only a count that does not pay is refunded; one that pays is paid.
        yield SettlementStep(SettlementStepKind.STREAK_REFUNDED, streak.fault_clause, question.stake_cents)


def _initial_direction(streak: StreakRules, bet: Bet, opening: str | None) -> str | None:
    """The direction of the bet. For a bet on a pair, that of the opening result; None until a later result sets it."""
    if bet.side not in STREAK_PAIRS:
        return bet.side
    if streak.counts_from == "first-result-sets-direction" or opening in (NEUTRAL, BREAKS_STREAK):
        return None
    return opening


def _require_direction_from_first_result(streak: StreakRules, bet: Bet) -> None:
    """Raises unless the first result after the wager may set the direction of a bet on a pair."""
    if streak.counts_from != "first-result-sets-direction":
        raise EngineError(
            ErrorCode.OPENING_NEEDED,
            f"{bet.code} takes the direction of the opening result: expected an opening result that has one",
        )


def _streak_length_at_wager(streak: StreakRules, direction: str | None, opening: str | None) -> int:
    """1 if the opening result counts and is unknown or in the wager's direction, else 0."""
    counts = streak.counts_from == "opening-result" and opening in (None, direction)
    return 1 if counts else 0


@dataclass(frozen=True, slots=True)
class TableResult:
    """One round of the gaming day, for the table's streak. `ended_by_fault`: its lights failed, which ended streaks."""

    outcome: Outcome | None
    ended_by_fault: bool = False


@dataclass(frozen=True, slots=True)
class TableStreak:
    """The current run at a table: direction and length. Length 0: no result has counted yet, or a run was broken."""

    direction: str | None
    length: int
    has_opened: bool

    @property
    def accepts_wagers(self) -> bool:
        """True after the first result of the day and whenever a run has just ended; False during a longer run."""
        return self.has_opened and self.length <= 1


def compute_table_streak(rules: Rules, pair: str, results: Iterable[TableResult]) -> TableStreak:
    """The current run for one pair of directions, after the results of a gaming day, oldest first."""
    side_at = rules.streak_sides[pair]
    run = TableStreak(None, 0, has_opened=False)
    for result in results:
        side = NEUTRAL if result.outcome is None else side_at[outcome_index(result.outcome)]
        if side == BREAKS_STREAK:
            run = TableStreak(None, 0, has_opened=True)
        elif side != NEUTRAL:
            length = run.length + 1 if side == run.direction else 1
            run = TableStreak(side, length, has_opened=True)
        if result.ended_by_fault and run.has_opened:
            run = TableStreak(run.direction, 1 if run.direction else 0, has_opened=True)
    return run
