"""The demo's past: gaming days of a while ago, long enough for its fairness to be examined. The dice of one are loaded.

Played at the first start, through the interface that every line comes by; what becomes of it is the service's business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from rounds.floor.models import Table
from rounds.simulator.days import default_first_day
from rounds.simulator.floor_set_ups import controller_of, set_up_of
from rounds.simulator.joining import feed_for, memory_of, next_sequence
from rounds.simulator.playing import Tally, TruthFile, feed_days, play_days
from rounds.simulator.turns import turn

# Before everything else that the demo tells of these tables.
AGO = timedelta(days=3)
SEED = 1


@dataclass(frozen=True)
class PastDay:
    """Dice are first looked at after 200 rounds with a result."""

    casino: str
    table: str
    rounds: int = 230
    sixes: int = 1


DAYS = (PastDay("harbour", "sb-1"), PastDay("harbour", "sb-2", sixes=2))


def play_past(*, address: str | None, keys: Path | None, now: datetime) -> int:
    """At tables that have said nothing yet; how many rounds were played."""
    tally = Tally()
    for day in DAYS:
        table = Table.objects.select_related("casino").filter(casino__slug=day.casino, slug=day.table).first()
        if table is not None and next_sequence(table, controller_of(table, now)) == 1:
            _play(table, day, tally, address=address, keys=keys, now=now)
    return tally.rounds


def _play(
    table: Table, day: PastDay, tally: Tally, *, address: str | None, keys: Path | None, now: datetime
) -> None:  # fmt: skip
    first_day = default_first_day(set_up_of(table, now), now - AGO, day.rounds)
    set_up = set_up_of(table, set_up_of(table, now).day_begins_at(first_day))
    feed = feed_for(table, controller_of(table, now), address=address, keys=keys)
    with turn(memory_of(table).with_suffix(".lock"), waits=True):
        days = play_days(
            replace(set_up, sixes=day.sixes), first_day=first_day, rounds=day.rounds, seed=SEED, first=1, injectors=(),
            tally=tally,
        )  # fmt: skip
        feed_days(days, feed, table=table.slug, truth=TruthFile(None), watch=lambda lines: None)
