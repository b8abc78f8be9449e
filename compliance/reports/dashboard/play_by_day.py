"""Play by gaming day and table. Totals of a day are cached in the process until that day is audited again, because the
rows behind them are many.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from compliance.audit.models import WagerCategory
from compliance.audit.selectors import DailyRounds, DailyWagers, daily_rounds, daily_wagers
from compliance.core.accounts.models import Casino
from compliance.reports.dashboard.return_to_player import ReturnToPlayer, add_returns, compute_return


@dataclass(frozen=True)
class PlaySummary:
    """Play of a day, of a table, or of the whole period."""

    rounds: int
    without_result: int
    wagers: int
    turnover_cents: int
    returned_cents: int
    compared: ReturnToPlayer | None


TotalsByTable: TypeAlias = Mapping[str, PlaySummary]
# More days than the longest period.
MAX_CACHED_DAYS = 400
_cache: dict[tuple[str, date], tuple[Sequence[DailyRounds], TotalsByTable]] = {}


def play_totals_between(casino: Casino, first: date, last: date) -> dict[date, TotalsByTable]:
    """Days with play, and their tables. Two queries; one if all days are cached."""
    rounds: dict[date, list[DailyRounds]] = defaultdict(list)
    for one in daily_rounds(casino, first, last):
        rounds[one.gaming_day].append(one)
    found = {day: _cached_day(casino.slug, day, of_day) for day, of_day in rounds.items()}
    if unknown := [day for day, tables in found.items() if tables is None]:
        wagers: dict[tuple[date, str], list[DailyWagers]] = defaultdict(list)
        for alike in daily_wagers(casino, unknown):
            wagers[alike.gaming_day, alike.table].append(alike)
        for day in unknown:
            tables = {one.table: table_totals(one, wagers[day, one.table]) for one in rounds[day]}
            found[day] = _cache_day(casino.slug, day, rounds[day], tables)
    return {day: tables for day, tables in found.items() if tables is not None}


def _cached_day(log: str, day: date, rounds: Sequence[DailyRounds]) -> TotalsByTable | None:
    known = _cache.get((log, day))
    return known[1] if known and known[0] == rounds else None


def _cache_day(log: str, day: date, rounds: Sequence[DailyRounds], tables: TotalsByTable) -> TotalsByTable:
    _cache.pop((log, day), None)
    _cache[log, day] = rounds, tables
    # Oldest first. Another thread may have removed it already.
    for oldest in list(_cache)[:-MAX_CACHED_DAYS]:
        _cache.pop(oldest, None)
    return tables


def table_totals(rounds: DailyRounds, wagers: Sequence[DailyWagers]) -> PlaySummary:
    settled = [one for one in wagers if one.sort != WagerCategory.UNSETTLED]
    return PlaySummary(
        rounds=rounds.rounds,
        without_result=rounds.without_result,
        wagers=sum(one.wagers for one in wagers),
        turnover_cents=sum(one.staked_cents for one in settled),
        returned_cents=sum(one.returned_cents for one in settled),
        compared=compute_return(wagers, rounds.variance),
    )


def add_totals(played: Iterable[PlaySummary]) -> PlaySummary:
    """Sum over days or tables. Rounds are independent, so expectations and variances add up."""
    parts = list(played)
    compared = [one.compared for one in parts if one.compared]
    return PlaySummary(
        rounds=sum(one.rounds for one in parts),
        without_result=sum(one.without_result for one in parts),
        wagers=sum(one.wagers for one in parts),
        turnover_cents=sum(one.turnover_cents for one in parts),
        returned_cents=sum(one.returned_cents for one in parts),
        compared=add_returns(compared) if compared else None,
    )
