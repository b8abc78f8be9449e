"""Past gaming days of the demo, long enough for the fairness tests. The dice of one table are loaded. Played at the
first start through the intake API, like every other line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from rounds.floor.models import Table
from rounds.simulator.delivery.casino_tables import controller_for_table, load_table_config
from rounds.simulator.delivery.connection import next_sequence, open_feed, state_path
from rounds.simulator.delivery.simulation_run import SimulationTotals, TruthFile, play_days, send_days
from rounds.simulator.delivery.table_lock import lock_table
from rounds.simulator.play.gaming_days import default_first_day

# Before all other demo records about these tables.
DAYS_AGO = timedelta(days=3)
SEED = 1


@dataclass(frozen=True)
class PastDay:
    """`rounds` is above 200, from which on the fairness tests examine dice. `sixes` above 1: loaded dice."""

    casino: str
    table: str
    rounds: int = 230
    sixes: int = 1


PAST_DAYS = (PastDay("harbour", "sb-1"), PastDay("harbour", "sb-2", sixes=2))


def play_demo_history(*, address: str | None, keys: Path | None, now: datetime) -> int:
    """Plays at tables without any line so far; returns how many rounds were played."""
    tally = SimulationTotals()
    for day in PAST_DAYS:
        table = Table.objects.select_related("casino").filter(casino__slug=day.casino, slug=day.table).first()
        if table is not None and next_sequence(table, controller_for_table(table, now)) == 1:
            _play_past_day(table, day, tally, address=address, keys=keys, now=now)
    return tally.rounds


def _play_past_day(
    table: Table, day: PastDay, tally: SimulationTotals, *, address: str | None, keys: Path | None, now: datetime
) -> None:
    first_day = default_first_day(load_table_config(table, now), now - DAYS_AGO, day.rounds)
    set_up = load_table_config(table, load_table_config(table, now).day_begins_at(first_day))
    feed = open_feed(table, controller_for_table(table, now), address=address, keys=keys)
    with lock_table(state_path(table).with_suffix(".lock"), waits=True):
        days = play_days(
            replace(set_up, sixes=day.sixes),
            first_day=first_day,
            rounds=day.rounds,
            seed=SEED,
            first=1,
            injectors=(),
            tally=tally,
        )
        send_days(days, feed, table=table.slug, truth=TruthFile(None), on_progress=lambda lines: None)
