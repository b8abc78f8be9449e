"""For `verify_ledger`: the sums of what was played, against the audited rounds' columns added up again.

The columns themselves are compared with the entries. What a sum is compared with on average is the audit's judgement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np
from django.db.models import Exists, OuterRef, Q, Sum

from compliance.audit.models import Block, PackedRound, PlayedBet, PlayedDay, VoidedRound
from compliance.audit.packing import unpack_wagers
from rounds.engine.bets import BET_CODES
from rounds.ledger.following import Recorded

# By gaming day and table: rounds, and those without a result. By gaming day, table and bet: wagers, staked, returned.
Days = dict[tuple[date, str], tuple[int, int]]
Bets = dict[tuple[date, str, str], tuple[int, int, int]]


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """Of each block that was audited up to one of these entries; one that was opened again waits for new sums."""
    blocks = Block.objects.filter(log=log, audited_to__gt=first, audited_to__lte=last)
    for block in blocks.order_by("number"):
        if block.audited_to > block.first:
            yield from _differences(log, block.first, block.audited_to)


def _differences(log: str, first: int, last: int) -> Iterator[tuple[int, str]]:
    (days, bets), (kept_days, kept_bets) = _played(log, first, last), _kept(log, first, last)
    for day, table in sorted({key for key, _ in days.items() ^ kept_days.items()}):
        yield first, f"the sums of entries {first} to {last - 1} count other rounds at {table} on {day}."
    for day, table, bet in sorted({key for key, _ in bets.items() ^ kept_bets.items()}):
        yield first, f"the sums of entries {first} to {last - 1} have other wagers on {bet} at {table} on {day}."


def _played(log: str, first: int, last: int) -> tuple[Days, Bets]:
    voided = VoidedRound.objects.filter(log=OuterRef("log"), entry_index=OuterRef("entry_index"))
    rounds = PackedRound.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last, taken_back_index=None)
    undecided = Q(is_void=True) | Q(outcome__lt=0) | Exists(voided)
    of_table: dict[tuple[date, str], list[bytes]] = {}
    without = Counter(rounds.filter(undecided).order_by().values_list("gaming_day", "table"))
    for day, table, wagers in rounds.order_by().values_list("gaming_day", "table", "wagers").iterator(1_000):
        of_table.setdefault((day, table), []).append(bytes(wagers))
    days = {key: (len(packed), without[key]) for key, packed in of_table.items()}
    return days, {(*key, bet): sums for key, packed in of_table.items() for bet, sums in _sums(packed)}


def _sums(packed: Sequence[bytes]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    wagers = unpack_wagers(packed)
    for bet in np.unique(wagers["bet"]).tolist():
        own = wagers[wagers["bet"] == bet]
        yield BET_CODES[bet], (len(own), int(own["stake"].sum()), int(own["returned"].clip(min=0).sum()))


def _kept(log: str, first: int, last: int) -> tuple[Days, Bets]:
    within = {"log": log, "first__gte": first, "first__lt": last}
    days = PlayedDay.objects.filter(**within).order_by().values("gaming_day", "table")
    bets = PlayedBet.objects.filter(**within).order_by().values("gaming_day", "table", "bet")
    counted = days.annotate(of=Sum("rounds"), without=Sum("without_result"))
    summed = bets.annotate(of=Sum("wagers"), staked=Sum("staked_cents"), returned=Sum("returned_cents"))
    return (
        {(row["gaming_day"], row["table"]): (row["of"], row["without"]) for row in counted},
        {(row["gaming_day"], row["table"], row["bet"]): (row["of"], row["staked"], row["returned"]) for row in summed},
    )
