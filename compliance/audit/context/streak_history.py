"""StreakHistory: the earlier results of a table, by which Super Streak wagers are settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.round_context import RoundContext
from rounds.engine import Outcome
from rounds.intake.columns.round_encoding import STREAK_BET_CODES


@dataclass(frozen=True)
class TableRoundResult:
    """One round of a table, as far as streaks depend on it."""

    index: int
    day: date
    outcome: Outcome | None
    have_lights_failed: bool


@dataclass(frozen=True)
class StreakHistory:
    """By table, the results in order of play; and by table and wager, the entry in which a streak wager was placed."""

    results: Mapping[str, Sequence[TableRoundResult]] = field(default_factory=dict)
    opened: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def results_up_to(self, context: RoundContext) -> list[TableRoundResult]:
        """The table's results up to and including this round."""
        known = self.results.get(context.table, ())
        place = next((place for place, result in enumerate(known) if result.index == context.index), len(known) - 1)
        return list(known[: place + 1])

    def results_since_wager(
        self, context: RoundContext, wager: str
    ) -> tuple[TableRoundResult, list[TableRoundResult]] | None:
        """The result on the table when the wager was placed, and the results since. None if its placing was never
        reported."""
        index, known = self.opened.get((context.table, wager)), self.results_up_to(context)
        place = next((place for place, result in enumerate(known) if result.index == index), None)
        return None if place is None else (known[place], known[place + 1 :])


def load_streak_history(source: EntrySource, rounds: Iterable[RoundContext]) -> StreakHistory:
    """For the rounds among these with streak wagers. Two queries; none without such rounds."""
    touched = [context for context in rounds if any(wager.bet in STREAK_BET_CODES for wager in context.round.wagers)]
    if not touched:
        return StreakHistory()
    tables = {context.table for context in touched}
    wagers = {wager.id for context in touched for wager in context.round.wagers if wager.bet in STREAK_BET_CODES}
    placed = source.placed_streaks(tables, wagers=wagers)
    days = {context.round.gaming_day for context in touched} | {each.gaming_day for each in placed}
    results: dict[str, list[TableRoundResult]] = {}
    for each in source.rounds(tables, days=(min(days), max(days))):
        # A round whose outcome was invalidated has no result.
        outcome = None if each.was_invalidated else each.outcome
        results.setdefault(each.table, []).append(
            TableRoundResult(each.index, each.gaming_day, outcome, each.have_lights_failed)
        )
    return StreakHistory(results, {(each.table, each.wager): each.index for each in placed})
