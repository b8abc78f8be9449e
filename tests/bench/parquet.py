"""Settlements recomputed from Parquet files: ours against DuckDB and Polars on the same files. All must name exactly
the planted wagers. Ours is measured again with everything that `manage.py audit --parquet` does: file digests, payouts
computed from the rule packs, comparison of findings.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
from django.utils import timezone

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.compare_verdicts import audit_folder
from compliance.analysis.parquet.export_days import export_days
from compliance.analysis.parquet.recompute import PayoutTable, recompute
from compliance.audit.run.worker import audit_log
from compliance.config.environment import PROJECT
from tests.bench.support.bulk_rounds import BETWEEN_ROUNDS, FIRST_ROUND, WAGERS_A_ROUND, BulkFloor, open_floor
from tests.bench.support.measurement import Case, at_least
from tests.bench.support.peer_implementations import ENGINE
from tests.bench.support.workload_size import Size

ONE_WRONG_IN = 50_000
# A single pass over a million wagers is too short to be timed.
TIMES_OVER = 10
DUCKDB, POLARS = "DuckDB", "Polars, lazy"
STATEMENT = (PROJECT / "templates" / "docs" / "recompute.sql").read_text()
# Entry index, wager, amount required, amount returned.
Row = tuple[int, str, int, int]


def cases(size: Size) -> Iterator[Case]:
    floor = open_floor(ONE_WRONG_IN)
    floor.play(size.wagers // WAGERS_A_ROUND)
    list(audit_log(floor.house.casino))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "files"
        begun = time.perf_counter()
        export(floor, folder)
        rate = size.wagers / (time.perf_counter() - begun)
        stored = sum(path.stat().st_size for path in folder.rglob("*.parquet")) / size.wagers
        print(f"   exported, {rate:,.0f} wagers a second, {stored:.1f} bytes each", flush=True)
        peers = {DUCKDB: in_duckdb, POLARS: in_polars}
        others = {name: timed(way, folder, floor, size) for name, way in peers.items()}
        aims = {DUCKDB: at_least(1)}
        yield Case("recomputed from Parquet", "wagers/s", timed(ours, folder, floor, size), others, aims)
        checked = timed(with_every_check, folder, floor, size)
        yield Case("the same, every file and rule checked", "wagers/s", checked, {DUCKDB: others[DUCKDB]})


def export(floor: BulkFloor, folder: Path) -> None:
    """Exports every gaming day that was played."""
    first = FIRST_ROUND.date()
    last = first + timedelta(days=1, seconds=floor.rounds * BETWEEN_ROUNDS.seconds)
    export_days(casino=floor.house.casino, first_day=first, last_day=last, folder=folder, now=timezone.now())


def timed(way: Callable[[Path], list[Row]], folder: Path, floor: BulkFloor, size: Size) -> Callable[[], int]:
    """Runs it ten times; each result must equal what was planted."""
    planted = sorted((each.index, each.wager, each.required_cents, each.found_cents) for each in floor.planted)

    def run() -> int:
        for _ in range(TIMES_OVER):
            assert sorted(way(folder)) == planted
        return TIMES_OVER * size.wagers

    return run


def ours(folder: Path) -> list[Row]:
    files = sorted((folder / schema.WAGERS).rglob("*.parquet"))
    found = recompute(files, PayoutTable(pq.read_table(folder / schema.PAYOUTS))).wrong
    return [(each.entry_index, each.wager, each.due_cents or 0, each.returned_cents) for each in found]


def with_every_check(folder: Path) -> list[Row]:
    found = audit_folder(folder).differences
    return [(each.entry_index, each.wager, each.required_cents or 0, each.found_cents or 0) for each in found]


def in_duckdb(folder: Path) -> list[Row]:
    with duckdb.connect() as database:
        database.execute(
            f"CREATE VIEW wagers AS "
            f"SELECT * FROM read_parquet('{folder}/wagers/*/*/*.parquet', hive_partitioning = true);"
            f"CREATE VIEW payouts AS SELECT * FROM read_parquet('{folder}/payouts.parquet')"
        )
        found = database.execute(STATEMENT).fetchall()
    return [(entry, wager, required, returned) for _, _, entry, _, wager, _, required, returned, *_ in found]


def in_polars(folder: Path) -> list[Row]:
    wagers = pl.scan_parquet(folder / schema.WAGERS / "*" / "*" / "*.parquet", hive_partitioning=True)
    payouts = pl.scan_parquet(folder / schema.PAYOUTS)
    back, given = pl.col("returned_cents") + pl.col("later_cents"), pl.col("stake_cents") * pl.col("gives")
    found = (
        wagers.filter(pl.col("settled_by") == "odds")
        .join(payouts, on=["terms", "outcome", "bet"], how="left")
        .filter(
            pl.col("gives").is_null()
            | (back * pl.col("denominator") != given)
            | (pl.col("due_cents") * pl.col("denominator") != given)
            | (pl.col("audit") == "wrong")
        )
        .select("entry_index", "wager", given // pl.col("denominator"), back)
        .collect(engine=ENGINE)
    )
    return found.rows()
