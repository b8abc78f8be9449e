"""Returns of a gaming day against the average: computed once when the day is examined, and summed over a month."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from fractions import Fraction
from itertools import groupby

import numpy as np

from compliance.analysis.fairness.models import DailyReturn
from compliance.analysis.fairness.statistics.dice_tests import BOUND_DEVIATIONS, RETURN_TEST, ChartBar, DiceTestResult
from compliance.analysis.fairness.statistics.payout_drift import (
    BetDrift,
    TableDrift,
    drift_by_table,
    p_value,
    sorted_bets,
)
from compliance.audit.context.round_columns import read_columns
from compliance.audit.models import BLOCK_ENTRIES, PackedRound
from compliance.audit.projections.bulk_read import DAY_EPOCH
from compliance.core.accounts.models import Casino
from rounds.floor.models import Fact

# Blocks read at once.
BLOCKS_PER_BATCH = 16


def write_return_days(casino: Casino, day: date, tables: Sequence[str], at: datetime) -> None:
    """Replaces the rows of that day."""
    found: dict[str, TableDrift] = {}
    decks = _stated_decks(casino, at)
    for first, last in _entry_ranges(casino.slug, day, tables):
        columns = read_columns(casino, first, last)
        selected = columns.days == (np.datetime64(day) - DAY_EPOCH).astype(np.int64)
        for table, drift in drift_by_table(columns, selected, decks).items():
            found.setdefault(table, TableDrift()).add(drift)
    DailyReturn.objects.filter(casino=casino, gaming_day=day).delete()
    DailyReturn.objects.bulk_create(
        _daily_return_row(casino, day, table, drift) for table, drift in sorted(found.items())
    )


def _entry_ranges(log: str, day: date, tables: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Entry ranges of the blocks with rounds of the day; consecutive blocks together."""
    rounds = PackedRound.objects.filter(log=log, table__in=tables, gaming_day=day)
    numbers = sorted({index // BLOCK_ENTRIES for index in rounds.values_list("entry_index", flat=True)})
    for _, group in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        together = [number for _, number in group]
        for start in range(0, len(together), BLOCKS_PER_BATCH):
            some = together[start : start + BLOCKS_PER_BATCH]
            yield some[0] * BLOCK_ENTRIES, (some[-1] + 1) * BLOCK_ENTRIES


def _stated_decks(casino: Casino, at: datetime) -> dict[str, int]:
    stated = Fact.objects.filter(table__casino=casino, terminal=None, name="decks").in_force(at)
    return {fact.table.slug: int(fact.value["decks"]) for fact in stated.select_related("table") if fact.table}


def _daily_return_row(casino: Casino, day: date, table: str, drift: TableDrift) -> DailyReturn:
    bets = [
        [code, bet.basis, bet.staked, bet.returned, str(bet.expected), str(bet.lowest), str(bet.highest), bet.variance]
        for code, bet in sorted_bets(drift.bets)
    ]
    growth = {part: each.tolist() for part, each in drift.growth.items()}
    return DailyReturn(
        casino=casino,
        gaming_day=day,
        table=table,
        rounds=drift.rounds,
        variance=drift.variance,
        bets=bets,
        growth=growth,
    )


def drift_from_row(row: DailyReturn) -> TableDrift:
    drift = TableDrift(row.rounds, row.variance)
    for code, basis, staked, returned, *exact, variance in row.bets:
        expected, lowest, highest = map(Fraction, exact)
        drift.bet(code, basis).add(BetDrift(basis, staked, returned, expected, lowest, highest, variance))
    for part, growth in row.growth.items():
        drift.growth[part] = np.array(growth)
    return drift


def total_drift(rows: Iterable[DailyReturn]) -> TableDrift:
    drift = TableDrift()
    for row in rows:
        drift.add(drift_from_row(row))
    return drift


def daily_returns(casino: Casino, table: str, since: date, until: date) -> list[DailyReturn]:
    return list(DailyReturn.objects.filter(casino=casino, table=table, gaming_day__range=(since, until)))


def run_return_test(rows: Sequence[DailyReturn]) -> DiceTestResult | None:
    """None where nothing was staked that has a known average."""
    drift = total_drift(rows)
    if not drift.staked or not drift.deviation:
        return None
    statistic = float(drift.returned - drift.expected) / drift.deviation
    return DiceTestResult(
        RETURN_TEST, drift.rounds, statistic, 0, p_value(drift.growth), "purse", tuple(_cumulative_bet_totals(rows))
    )


def _cumulative_bet_totals(rows: Sequence[DailyReturn]) -> Iterator[ChartBar]:
    """Day by day, the cumulative difference from the average in cents, with the bounds of chance."""
    so_far = TableDrift()
    for row in rows:
        so_far.add(drift_from_row(row))
        beyond, bound = round(so_far.returned - so_far.expected), BOUND_DEVIATIONS * so_far.deviation
        yield ChartBar(f"{row.gaming_day:%d %b}", beyond, 0.0, -bound, bound)
