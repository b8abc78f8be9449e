"""What came back on a gaming day, worked out once when the day is examined, and added up over the days of a month."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from compliance.accounts.models import Casino
from compliance.audit.bulk import FIRST_DAY
from compliance.audit.columns import read_columns
from compliance.audit.models import BLOCK_ENTRIES, PackedRound
from compliance.fairness.chance import DEVIATIONS, RETURN, Cell, Comparison
from compliance.fairness.drift import BetDrift, TableDrift, bets_in_order, drift_of, p_value
from compliance.fairness.models import ReturnDay
from rounds.floor.models import Fact

# Of a log that are read at once.
BLOCKS_AT_ONCE = 16


def write_return_days(casino: Casino, day: date, tables: Sequence[str], at: datetime) -> None:
    """In the place of whatever was worked out of that day before."""
    found: dict[str, TableDrift] = {}
    decks = _decks_stated(casino, at)
    for first, last in _stretches(casino.slug, day, tables):
        columns = read_columns(casino, first, last)
        wanted = columns.days == (np.datetime64(day) - FIRST_DAY).astype(np.int64)
        for table, drift in drift_of(columns, wanted, decks).items():
            found.setdefault(table, TableDrift()).add(drift)
    ReturnDay.objects.filter(casino=casino, gaming_day=day).delete()
    ReturnDay.objects.bulk_create(_row(casino, day, table, drift) for table, drift in sorted(found.items()))


def _stretches(log: str, day: date, tables: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The blocks that hold rounds of the day, those that follow one another together."""
    rounds = PackedRound.objects.filter(log=log, table__in=tables, gaming_day=day)
    numbers = sorted({index // BLOCK_ENTRIES for index in rounds.values_list("entry_index", flat=True)})
    for _, group in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        together = [number for _, number in group]
        for start in range(0, len(together), BLOCKS_AT_ONCE):
            some = together[start : start + BLOCKS_AT_ONCE]
            yield some[0] * BLOCK_ENTRIES, (some[-1] + 1) * BLOCK_ENTRIES


def _decks_stated(casino: Casino, at: datetime) -> dict[str, int]:
    stated = Fact.objects.filter(table__casino=casino, terminal=None, name="decks").in_force(at)
    return {fact.table.slug: int(fact.value["decks"]) for fact in stated.select_related("table") if fact.table}


def _row(casino: Casino, day: date, table: str, drift: TableDrift) -> ReturnDay:
    bets = [
        [code, bet.basis, bet.staked, bet.returned, str(bet.expected), str(bet.lowest), str(bet.highest), bet.variance]
        for code, bet in bets_in_order(drift.bets)
    ]
    growth = {part: each.tolist() for part, each in drift.growth.items()}
    return ReturnDay(
        casino=casino, gaming_day=day, table=table, rounds=drift.rounds, variance=drift.variance, bets=bets,
        growth=growth,
    )  # fmt: skip


def drift_in(row: ReturnDay) -> TableDrift:
    drift = TableDrift(row.rounds, row.variance)
    for code, basis, staked, returned, *exact, variance in row.bets:
        expected, lowest, highest = map(Fraction, exact)
        drift.bet(code, basis).add(BetDrift(basis, staked, returned, expected, lowest, highest, variance))
    for part, growth in row.growth.items():
        drift.growth[part] = np.array(growth)
    return drift


def added_up(rows: Iterable[ReturnDay]) -> TableDrift:
    drift = TableDrift()
    for row in rows:
        drift.add(drift_in(row))
    return drift


def days_of(casino: Casino, table: str, since: date, until: date) -> list[ReturnDay]:
    return list(ReturnDay.objects.filter(casino=casino, table=table, gaming_day__range=(since, until)))


def compare_return(rows: Sequence[ReturnDay]) -> Comparison | None:
    """None where nothing was staked that has an average."""
    drift = added_up(rows)
    if not drift.staked or not drift.deviation:
        return None
    statistic = float(drift.returned - drift.expected) / drift.deviation
    return Comparison(RETURN, drift.rounds, statistic, 0, p_value(drift.growth), "purse", tuple(_path(rows)))


def _path(rows: Sequence[ReturnDay]) -> Iterator[Cell]:
    """Day by day how much more or less came back than the average, in cents, and how far chance takes it."""
    so_far = TableDrift()
    for row in rows:
        so_far.add(drift_in(row))
        beyond, bound = round(so_far.returned - so_far.expected), DEVIATIONS * so_far.deviation
        yield Cell(f"{row.gaming_day:%d %b}", beyond, 0.0, -bound, bound)


def as_json(cell: Cell) -> list[Any]:
    """Without floats, which no record of the ledger has."""
    return [cell.label, cell.counted, *(f"{value:.2f}" for value in (cell.expected, cell.lower, cell.upper))]
