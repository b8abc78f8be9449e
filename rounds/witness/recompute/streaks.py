"""Super Streaks: placed after one round, settled in a later one by the table's results in between."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from rounds.engine import BETS, EngineError, Outcome, Rules, WagerQuestion, settle_wager
from rounds.intake.protocol.round import Wager
from rounds.witness.recompute.amount_due import AmountDue, NoAmountDue
from rounds.witness.recompute.round_context import RoundContext

NEVER_MADE = "a Super Streak was settled that was never reported as made"
STILL_RUNS = "a Super Streak was settled that still runs, or was not offered"


class StreakResult(NamedTuple):
    """The result of one round for streaks. Sorted in the order of play."""

    began_at: datetime
    entry: int
    outcome: Outcome | None
    have_lights_failed: bool


class StreakResults:
    """Results of each table from its first streak on, and the rounds in which each streak wager was placed."""

    def __init__(self) -> None:
        self._results: dict[str, list[StreakResult]] = {}
        self._made: dict[tuple[str, str], list[int]] = {}
        self._places: dict[int, int] = {}

    def add_round(self, context: RoundContext) -> None:
        table, index, played = context.table, context.index, context.round
        made = [wager for wager in played.wagers if wager.verdict == "open" and BETS[wager.bet].is_streak]
        if made or table in self._results:
            is_void = context.is_invalidated or played.no_result is not None or context.is_void_by_conduct
            outcome = None if is_void else context.outcome
            began_at = min(event.at for event in played.events)
            result = StreakResult(began_at, index, outcome, context.have_lights_failed)
            self._results.setdefault(table, []).append(result)
        for wager in made:
            self._made.setdefault((table, wager.id), []).append(index)

    def sort_results(self) -> None:
        for results in self._results.values():
            results.sort(key=lambda result: result[:2])
            self._places.update((result.entry, position) for position, result in enumerate(results))

    def results_since_wager(self, context: RoundContext, wager: Wager) -> Sequence[StreakResult]:
        """The result on the table when the wager was placed, and those after it; empty if it never was placed."""
        here = self._places.get(context.index, -1)
        made = [self._places[index] for index in self._made.get((context.table, wager.id), ())]
        begin = max((position for position in made if position <= here), default=here + 1)
        return self._results.get(context.table, [])[begin : here + 1]


def streak_amount_due(context: RoundContext, wager: Wager, rules: Rules, book: StreakResults) -> AmountDue:
    if _was_refunded_after_invalidation(context, wager):
        return AmountDue(context.returned_cents(wager))
    since = book.results_since_wager(context, wager)
    if not since:
        raise NoAmountDue(NEVER_MADE, must_be_found=True)
    counted = _results_until_lights_failed(since[1:])
    is_over = len(counted) < len(since) - 1
    question = WagerQuestion(
        bet=BETS[wager.bet],
        stake_cents=wager.stake,
        opening=since[0].outcome,
        history=tuple(result.outcome for result in counted),
        void_reason=None if is_over else context.void_reason,
        have_lights_failed=bool(counted) and counted[-1].have_lights_failed,
        is_promotional_token=wager.tender == "promotional-token",
    )
    try:
        settled = settle_wager(rules, question)
    except EngineError as error:
        raise NoAmountDue("the rules give no verdict on a Super Streak", must_be_found=True) from error
    if settled.returned_cents is None:
        raise NoAmountDue(STILL_RUNS, must_be_found=True)
    return AmountDue(settled.returned_cents, rules=rules, asked=question)


def _results_until_lights_failed(after: Sequence[StreakResult]) -> list[StreakResult]:
    """The results that count: failed lights end the streak with the result they failed on."""
    counted: list[StreakResult] = []
    for result in after:
        counted.append(result)
        if result.have_lights_failed:
            break
    return counted


def _was_refunded_after_invalidation(context: RoundContext, wager: Wager) -> bool:
    """The outcome that ended the streak was invalidated later and the stake returned: the streak cannot continue."""
    later = context.decisions.paid_later.get(wager.id, 0)
    return context.is_voided_later and later > 0 and context.returned_cents(wager) >= wager.stake
