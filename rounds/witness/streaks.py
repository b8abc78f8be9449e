"""Super Streaks: made after one round, settled in another by the table's results in between."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError
from rounds.engine.outcomes import Outcome
from rounds.engine.rules import Rules
from rounds.engine.settle import settle_under
from rounds.engine.settlement import WagerAsked
from rounds.intake.kinds.round import Round, Wager
from rounds.witness.due import Due, NoSum
from rounds.witness.seen import Seen, have_lights_failed, result_of

NEVER_MADE = "a Super Streak was settled that was never reported as made"
STILL_RUNS = "a Super Streak was settled that still runs, or was not offered"


class Result(NamedTuple):
    """One round of a table as a streak sees it; in the order in which they were played."""

    began_at: datetime
    entry: int
    outcome: Outcome | None


class StreakBook:
    """Results of each table from the first streak there on, and where each wager was made."""

    def __init__(self) -> None:
        self._results: dict[str, list[Result]] = {}
        self._made: dict[tuple[str, str], list[int]] = {}
        self._places: dict[int, int] = {}

    def note(self, table: str, index: int, played: Round, *, was_invalidated: bool) -> None:
        made = [wager for wager in played.wagers if wager.verdict == "open" and BETS[wager.bet].is_streak]
        if made or table in self._results:
            shown = None if was_invalidated or played.no_result is not None else result_of(played)
            result = Result(min(event.at for event in played.events), index, shown)
            self._results.setdefault(table, []).append(result)
        for wager in made:
            self._made.setdefault((table, wager.id), []).append(index)

    def put_in_order(self) -> None:
        for results in self._results.values():
            results.sort(key=lambda result: result[:2])
            self._places.update((result.entry, place) for place, result in enumerate(results))

    def since_made(self, seen: Seen, wager: Wager) -> Sequence[Outcome | None]:
        """The result on the table when the wager was made, and those after it; nothing if it never was."""
        here = self._places.get(seen.index, -1)
        made = [self._places[index] for index in self._made.get((seen.table, wager.id), ())]
        begin = max((place for place in made if place <= here), default=here + 1)
        return [result.outcome for result in self._results.get(seen.table, [])[begin : here + 1]]


def streak_due(seen: Seen, wager: Wager, rules: Rules, book: StreakBook) -> Due:
    if _was_made_good(seen, wager):
        return Due(seen.handed_back(wager))
    since = book.since_made(seen, wager)
    if not since:
        raise NoSum(NEVER_MADE, must_be_found=True)
    asked = WagerAsked(
        bet=BETS[wager.bet], stake_cents=wager.stake, opening=since[0], history=tuple(since[1:]),
        void_reason=seen.void_reason, have_lights_failed=have_lights_failed(seen.round),
        is_promotional_token=wager.tender == "promotional-token",
    )  # fmt: skip
    try:
        settled = settle_under(rules, asked)
    except EngineError as error:
        raise NoSum("the rules give no verdict on a Super Streak", must_be_found=True) from error
    if settled.returned_cents is None:
        raise NoSum(STILL_RUNS, must_be_found=True)
    return Due(settled.returned_cents, rules=rules, asked=asked)


def _was_made_good(seen: Seen, wager: Wager) -> bool:
    """The outcome that ended it was invalidated later, and the stake went back: it cannot run on any more."""
    later = seen.determined.paid_later.get(wager.id, 0)
    return seen.is_voided_later and later > 0 and seen.handed_back(wager) >= wager.stake
