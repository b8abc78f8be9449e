"""What was played, by gaming day and table. Rows of the sums are many; what a day came to is remembered by the process
for as long as nothing of that day is audited anew."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from compliance.accounts.models import Casino
from compliance.audit.models import Sort
from compliance.audit.selectors import RoundsPlayed, WagersPlayed, rounds_played, wagers_played
from compliance.reports.dashboard.returns import Return, return_of, returns_together


@dataclass(frozen=True)
class Played:
    """Play of a day, of a table, or of the whole period."""

    rounds: int
    without_result: int
    wagers: int
    turnover_cents: int
    returned_cents: int
    compared: Return | None


Tables: TypeAlias = Mapping[str, Played]
# More than the longest period has.
MOST_KEPT = 400
_kept: dict[tuple[str, date], tuple[Sequence[RoundsPlayed], Tables]] = {}


def play_between(casino: Casino, first: date, last: date) -> dict[date, Tables]:
    """Each day on which something was played, with its tables. Two queries, one where everything is remembered."""
    rounds: dict[date, list[RoundsPlayed]] = defaultdict(list)
    for one in rounds_played(casino, first, last):
        rounds[one.gaming_day].append(one)
    found = {day: _remembered(casino.slug, day, of_day) for day, of_day in rounds.items()}
    if unknown := [day for day, tables in found.items() if tables is None]:
        wagers: dict[tuple[date, str], list[WagersPlayed]] = defaultdict(list)
        for alike in wagers_played(casino, unknown):
            wagers[alike.gaming_day, alike.table].append(alike)
        for day in unknown:
            tables = {one.table: played_of(one, wagers[day, one.table]) for one in rounds[day]}
            found[day] = _remember(casino.slug, day, rounds[day], tables)
    return {day: tables for day, tables in found.items() if tables is not None}


def _remembered(log: str, day: date, rounds: Sequence[RoundsPlayed]) -> Tables | None:
    known = _kept.get((log, day))
    return known[1] if known and known[0] == rounds else None


def _remember(log: str, day: date, rounds: Sequence[RoundsPlayed], tables: Tables) -> Tables:
    _kept.pop((log, day), None)
    _kept[log, day] = rounds, tables
    # The oldest first; another thread may have taken it meanwhile.
    for oldest in list(_kept)[:-MOST_KEPT]:
        _kept.pop(oldest, None)
    return tables


def played_of(rounds: RoundsPlayed, wagers: Sequence[WagersPlayed]) -> Played:
    settled = [one for one in wagers if one.sort != Sort.UNSETTLED]
    return Played(
        rounds=rounds.rounds,
        without_result=rounds.without_result,
        wagers=sum(one.wagers for one in wagers),
        turnover_cents=sum(one.staked_cents for one in settled),
        returned_cents=sum(one.returned_cents for one in settled),
        compared=return_of(wagers, rounds.variance),
    )


def together(played: Iterable[Played]) -> Played:
    """Several days or tables: rounds are independent, so expectations and variances add up."""
    parts = list(played)
    compared = [one.compared for one in parts if one.compared]
    return Played(
        rounds=sum(one.rounds for one in parts),
        without_result=sum(one.without_result for one in parts),
        wagers=sum(one.wagers for one in parts),
        turnover_cents=sum(one.turnover_cents for one in parts),
        returned_cents=sum(one.returned_cents for one in parts),
        compared=returns_together(compared) if compared else None,
    )
