"""For `verify_ledger`: compares the daily totals with the audited rounds' columns added up again.

The columns themselves are compared with the entries. The average return in a total is not verified; it is a result of
the audit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np
from django.db.models import Sum

from compliance.audit.models import Block, DailyBetTotals, DailyTotals
from compliance.core.web.binary_rows import fetch_binary_rows
from rounds.engine import BET_CODES
from rounds.intake.columns.round_encoding import WAGER_RECORD, decode_wagers
from rounds.ledger import LogEntry

ROUNDS_SQL = """
SELECT gaming_day, "table", is_void OR outcome < 0 OR EXISTS (
    SELECT FROM audit_voidedround voided WHERE voided.log = played.log AND voided.entry_index = played.entry_index
), wagers
FROM audit_packedround played WHERE log = %s AND entry_index >= %s AND entry_index < %s AND taken_back_index IS NULL
"""
# One per value of a byte.
EVERY_BET = 256

# By gaming day and table: rounds, and rounds without a result. By gaming day, table and bet: wagers, staked, returned.
DayCounts = dict[tuple[date, str], tuple[int, int]]
BetCounts = dict[tuple[date, str, str], tuple[int, int, int]]


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Verifies each block that was audited up to one of these entries. A reopened block is skipped until it has new
    totals."""
    blocks = Block.objects.filter(log=log, audited_to__gt=first, audited_to__lte=last)
    for block in blocks.order_by("number"):
        if block.audited_to > block.first:
            yield from _verify_block(log, block.first, block.audited_to)


def _verify_block(log: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    (days, bets), (stored_days, stored_bets) = _recomputed_totals(log, first, last), _stored_totals(log, first, last)
    for day, table in sorted({key for key, _ in days.items() ^ stored_days.items()}):
        yield first, f"the sums of entries {first} to {last - 1} count other rounds at {table} on {day}."
    for day, table, bet in sorted({key for key, _ in bets.items() ^ stored_bets.items()}):
        yield first, f"the sums of entries {first} to {last - 1} have other wagers on {bet} at {table} on {day}."


def _recomputed_totals(log: str, first: int, last: int) -> tuple[DayCounts, BetCounts]:
    rounds = fetch_binary_rows(ROUNDS_SQL, [log, first, last])
    at: dict[tuple[date, str], int] = {}
    places = [at.setdefault((day, table), len(at)) for day, table, _, _ in rounds]
    counts = np.bincount(places, minlength=len(at)).tolist()
    without = np.bincount(places, [undecided for _, _, undecided, _ in rounds], len(at)).tolist()
    days = {key: (counts[place], int(without[place])) for key, place in at.items()}
    return days, _sum_by_bet(list(at), places, [wagers for *_, wagers in rounds])


def _sum_by_bet(at: Sequence[tuple[date, str]], indexes: Sequence[int], packed: Sequence[bytes]) -> BetCounts:
    """Sums all wagers of all rounds at once, by day, table and bet."""
    wagers = decode_wagers(packed)
    of_round = np.repeat(np.array(indexes, np.int64), [len(each) // WAGER_RECORD.itemsize for each in packed])
    of_bet = of_round * EVERY_BET + wagers["bet"]
    counted = np.bincount(of_bet, minlength=len(at) * EVERY_BET)
    staked, returned = np.zeros_like(counted), np.zeros_like(counted)
    np.add.at(staked, of_bet, wagers["stake"])
    np.add.at(returned, of_bet, wagers["returned"].clip(min=0))
    sums = zip(counted.tolist(), staked.tolist(), returned.tolist(), strict=True)
    return {(*at[place // EVERY_BET], BET_CODES[place % EVERY_BET]): each for place, each in enumerate(sums) if each[0]}


def _stored_totals(log: str, first: int, last: int) -> tuple[DayCounts, BetCounts]:
    within = {"log": log, "first__gte": first, "first__lt": last}
    days = DailyTotals.objects.filter(**within).order_by().values("gaming_day", "table")
    bets = DailyBetTotals.objects.filter(**within).order_by().values("gaming_day", "table", "bet")
    counted = days.annotate(of=Sum("rounds"), without=Sum("without_result"))
    summed = bets.annotate(of=Sum("wagers"), staked=Sum("staked_cents"), returned=Sum("returned_cents"))
    return (
        {(row["gaming_day"], row["table"]): (row["of"], row["without"]) for row in counted},
        {(row["gaming_day"], row["table"], row["bet"]): (row["of"], row["staked"], row["returned"]) for row in summed},
    )
