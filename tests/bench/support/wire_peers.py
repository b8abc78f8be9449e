"""Peer implementations from signed NDJSON to discrepancies. Each reads every line, looks up the rules in force at the
wager's seat when its round began, computes the amount due and writes the differences to PostgreSQL.

What all of them leave out: signatures, strict validation, the Merkle tree and proofs, exactly-once receipts, search,
and every check but that of the settlement.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import psycopg

from rounds.engine.bets.dice_outcomes import OUTCOMES
from tests.bench.plain.models import PlainWager
from tests.bench.support.bulk_rounds import WAGERS_A_ROUND, BulkTable
from tests.bench.support.normalised_tables import DECODER, copy_rows, create_lookups, round_row, wager_rows
from tests.bench.support.peer_implementations import SETTINGS
from tests.bench.support.wire_floor import Discrepancy

SCHEMA = """
CREATE TABLE peer_outcome (first smallint, second smallint, third smallint, outcome smallint NOT NULL,
    PRIMARY KEY (first, second, third));
CREATE TABLE wire_line (body jsonb NOT NULL);
CREATE TABLE wire_discrepancy (
    round text NOT NULL, wager text NOT NULL, required bigint NOT NULL, returned bigint NOT NULL
)
"""
EMPTY = "TRUNCATE wire_line, wire_discrepancy, peer_discrepancy, peer_wager, peer_round"
# Characters that no line contains, so that CSV leaves its quotes and backslashes alone.
COPY_LINES = r"COPY wire_line FROM STDIN (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')"
COPY_FOUND = "COPY wire_discrepancy FROM STDIN"
BLOCK_BYTES = 1 << 20

# `wagers` has one row a wager; `divided_by` divides integers.
SETTLED = f"""
SELECT round, wager, required, returned
FROM (
    SELECT w.round, w.wager, w.returned, w.verdict, truth.numerator > 0 AS wins,
        CASE WHEN truth.numerator > 0
            THEN w.stake + w.stake * truth.numerator {{divided_by}} truth.denominator ELSE 0 END AS required
    FROM ({{wagers}}) w
    JOIN peer_table place ON place.slug = w.table_slug
    JOIN peer_outcome o ON o.first = w.first AND o.second = w.second AND o.third = w.third
    JOIN peer_governing governing ON governing.place_id = place.id * {WAGERS_A_ROUND} + w.seat
        AND governing.from_at <= w.started_at AND w.started_at < governing.until_at
    JOIN peer_bet bet ON bet.code = w.bet
    JOIN peer_truth truth ON truth.terms = governing.terms AND truth.outcome = o.outcome AND truth.bet_id = bet.id
) settled
WHERE required <> returned OR (verdict = 'win') <> wins
"""


def create_tables(admin: psycopg.Connection, tables: Sequence[BulkTable]) -> None:
    create_lookups(admin, tables)
    admin.execute(SCHEMA)
    with admin.cursor().copy("COPY peer_outcome FROM STDIN") as rows:
        for number, faces in enumerate(OUTCOMES):
            rows.write_row((*faces, number))
    admin.execute("VACUUM (ANALYZE, FREEZE) peer_outcome, peer_bet, peer_table, peer_place, peer_governing, peer_truth")


def write_found(connection: psycopg.Connection, found: Iterable[Discrepancy]) -> None:
    with connection.cursor().copy(COPY_FOUND) as rows:
        for row in found:
            rows.write_row(row)
    connection.commit()


def take_found(connection: psycopg.Connection) -> list[Discrepancy]:
    """What the last peer wrote; its tables are emptied for the next one."""
    found = connection.execute("SELECT round, wager, required, returned FROM wire_discrepancy").fetchall()
    connection.execute(EMPTY)
    connection.commit()
    return sorted(found)


# --- Django REST framework, the ORM and a Python loop; the rounds were posted to tests.bench.plain ------------------


def settle_plain_rounds(connection: psycopg.Connection) -> int:
    """The rules in dictionaries, which is faster than a query for each wager."""
    odds = {
        row[:3]: row[3:]
        for row in connection.execute("""
            SELECT terms, outcome, code, numerator, denominator FROM peer_truth JOIN peer_bet ON peer_bet.id = bet_id
        """)
    }
    place_of = {slug: number * WAGERS_A_ROUND for number, slug in connection.execute("SELECT id, slug FROM peer_table")}
    governing: dict[int, list[Any]] = {}
    for place, *rest in connection.execute("SELECT place_id, from_at, until_at, terms FROM peer_governing"):
        governing.setdefault(place, []).append(rest)
    outcome_of = {faces: number for number, faces in enumerate(OUTCOMES)}
    found, seen = [], 0
    for wager in PlainWager.objects.select_related("played").iterator(chunk_size=5_000):
        seen += 1
        played = wager.played
        at = datetime.fromisoformat(played.events[0]["at"])
        place = place_of[played.table] + wager.seat
        terms = next(terms for begun, until, terms in governing[place] if begun <= at < until)
        won, below = odds[terms, outcome_of[tuple(played.dice or played.cards)], wager.bet]
        required = wager.stake + wager.stake * won // below if won else 0
        if wager.returned != required or (wager.verdict == "win") != (won > 0):
            found.append((played.round, wager.wager, required, wager.returned))
    write_found(connection, found)
    return seen


# --- COPY into jsonb, then one statement ----------------------------------------------------------------------------

FROM_JSON = """
SELECT line.body ->> 'table' AS table_slug, entry.round, entry.started_at, entry.wager, entry.seat, entry.bet,
    entry.stake, entry.returned, entry.verdict, coalesce(entry.die_1, entry.card_1) AS first,
    coalesce(entry.die_2, entry.card_2) AS second, coalesce(entry.die_3, entry.card_3) AS third
FROM wire_line line, JSON_TABLE(line.body, '$.body' COLUMNS (
    round text PATH '$.round', started_at timestamptz PATH '$.events[0].at',
    die_1 smallint PATH '$.dice[0]', die_2 smallint PATH '$.dice[1]', die_3 smallint PATH '$.dice[2]',
    card_1 smallint PATH '$.cards[0]', card_2 smallint PATH '$.cards[1]', card_3 smallint PATH '$.cards[2]',
    NESTED PATH '$.wagers[*]' COLUMNS (
        wager text PATH '$.id', seat smallint PATH '$.seat', bet text PATH '$.bet', stake bigint PATH '$.stake',
        returned bigint PATH '$.returned', verdict text PATH '$.verdict'
    )
)) entry
"""


def settle_jsonb(connection: psycopg.Connection, bodies: Sequence[bytes]) -> None:
    with connection.cursor().copy(COPY_LINES) as copied:
        for body in bodies:
            copied.write(body + b"\n")
    connection.commit()
    connection.execute(SETTINGS)
    connection.execute("ANALYZE wire_line")
    statement = SETTLED.format(wagers=FROM_JSON, divided_by="/")
    write_found(connection, connection.execute(statement).fetchall())


# --- A normaliser in Python, then one statement ---------------------------------------------------------------------

FROM_TABLES = """
SELECT round.name AS round, wager.name AS wager, required, settled.returned
FROM (
    SELECT wager.id, wager.round_id, wager.name, wager.returned, wager.is_win, truth.numerator > 0 AS wins,
        CASE WHEN truth.numerator > 0
            THEN wager.stake + wager.stake * truth.numerator / truth.denominator ELSE 0 END AS required
    FROM peer_wager wager
    JOIN peer_round round ON round.id = wager.round_id
    JOIN peer_governing governing ON governing.place_id = wager.place_id
        AND governing.from_at <= round.started_at AND round.started_at < governing.until_at
    JOIN peer_truth truth ON truth.terms = governing.terms AND truth.outcome = round.outcome
        AND truth.bet_id = wager.bet_id
) settled
JOIN peer_round round ON round.id = settled.round_id
JOIN peer_wager wager ON wager.id = settled.id
WHERE required <> settled.returned OR settled.is_win <> wins
"""


def settle_normalised(connection: psycopg.Connection, bodies: Sequence[bytes], tables: Sequence[BulkTable]) -> None:
    number_of = {table.slug: number for number, table in enumerate(tables)}
    numbers = count(1)
    for body in bodies:
        lines = [DECODER.decode(line) for line in body.splitlines()]
        rounds = [(next(numbers), number_of[line.table], line.body) for line in lines]
        copy_rows(connection, "peer_round", (round_row(*each) for each in rounds))
        copy_rows(connection, "peer_wager", (row for each in rounds for row in wager_rows(*each)))
        connection.commit()
    connection.execute(SETTINGS)
    connection.execute("ANALYZE peer_round, peer_wager")
    write_found(connection, connection.execute(FROM_TABLES).fetchall())


# --- DuckDB on the files --------------------------------------------------------------------------------------------

LOOKUPS = {
    "peer_table": "SELECT id::bigint, slug FROM peer_table",
    "peer_outcome": "SELECT first::bigint, second::bigint, third::bigint, outcome::bigint FROM peer_outcome",
    "peer_bet": "SELECT id::bigint, code FROM peer_bet",
    "peer_governing": "SELECT place_id::bigint, from_at, until_at, terms::bigint FROM peer_governing",
    "peer_truth": """
        SELECT terms::bigint, outcome::bigint, bet_id::bigint, numerator::bigint, denominator::bigint FROM peer_truth
    """,
}
LINE = """{
    'table': 'VARCHAR',
    'body': 'STRUCT("round" VARCHAR, dice BIGINT[], cards BIGINT[], events STRUCT("at" TIMESTAMP)[], wagers STRUCT(
        id VARCHAR, seat BIGINT, bet VARCHAR, stake BIGINT, returned BIGINT, verdict VARCHAR)[])'
}"""
FROM_FILES = f"""
SELECT table_slug, round, started_at, faces[1] AS first, faces[2] AS second, faces[3] AS third, wager.id AS wager,
    wager.seat, wager.bet, wager.stake, wager.returned, wager.verdict
FROM (
    SELECT "table" AS table_slug, body.round AS round, body.events[1]."at" AS started_at,
        coalesce(body.dice, body.cards) AS faces, unnest(body.wagers) AS wager
    FROM read_json($files, format = 'newline_delimited', columns = {LINE})
)
"""


def read_lookups(connection: psycopg.Connection) -> dict[str, pl.DataFrame]:
    frames = {}
    for name, statement in LOOKUPS.items():
        cursor = connection.execute(statement)
        assert cursor.description is not None
        rows = [tuple(map(_naive, row)) for row in cursor.fetchall()]
        frames[name] = pl.DataFrame(rows, schema=[column.name for column in cursor.description], orient="row")
    return frames


def _naive(value: object) -> object:
    """DuckDB needs an extension for time zones."""
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value


def settle_files_in_duckdb(connection: psycopg.Connection, files: Sequence[Path]) -> None:
    lookups = {name: frame.to_arrow() for name, frame in read_lookups(connection).items()}
    with duckdb.connect() as database:
        for name, table in lookups.items():
            database.register(name, table)
        statement = SETTLED.format(wagers=FROM_FILES, divided_by="//")
        found = database.execute(statement, {"files": [str(path) for path in files]}).fetchall()
    write_found(connection, found)


# --- Polars on the files --------------------------------------------------------------------------------------------

WAGER = pl.Struct(
    {
        "id": pl.String,
        "seat": pl.Int64,
        "bet": pl.String,
        "stake": pl.Int64,
        "returned": pl.Int64,
        "verdict": pl.String,
    }
)
BODY = pl.Struct(
    {
        "round": pl.String,
        "dice": pl.List(pl.Int64),
        "cards": pl.List(pl.Int64),
        "events": pl.List(pl.Struct({"at": pl.String})),
        "wagers": pl.List(WAGER),
    }
)


def settle_files_in_polars(connection: psycopg.Connection, files: Sequence[Path]) -> None:
    lookups = {name: frame.lazy() for name, frame in read_lookups(connection).items()}
    body, won = pl.col("body").struct, pl.col("numerator") > 0
    faces = pl.coalesce(body.field("dice"), body.field("cards")).list
    due = pl.col("stake") + pl.col("stake") * pl.col("numerator") // pl.col("denominator")
    lines = pl.scan_ndjson(list(files), schema={"table": pl.String, "body": BODY})
    found = (
        lines.select(
            pl.col("table").alias("slug"),
            body.field("round"),
            body.field("events")
            .list.get(0)
            .struct.field("at")
            .str.to_datetime("%Y-%m-%dT%H:%M:%SZ")
            .alias("started_at"),
            *(faces.get(index).alias(name) for index, name in enumerate(("first", "second", "third"))),
            body.field("wagers"),
        )
        .join(lookups["peer_table"].rename({"id": "table_id"}), on="slug")
        .join(lookups["peer_outcome"], on=["first", "second", "third"])
        .explode("wagers")
        .unnest("wagers")
        .with_columns(place_id=pl.col("table_id") * WAGERS_A_ROUND + pl.col("seat"))
        .join(lookups["peer_governing"], on="place_id")
        .filter((pl.col("from_at") <= pl.col("started_at")) & (pl.col("started_at") < pl.col("until_at")))
        .join(lookups["peer_bet"].rename({"id": "bet_id"}), left_on="bet", right_on="code")
        .join(lookups["peer_truth"], on=["terms", "outcome", "bet_id"])
        .with_columns(required=pl.when(won).then(due).otherwise(0))
        .filter((pl.col("required") != pl.col("returned")) | ((pl.col("verdict") == "win") != won))
        .select("round", "id", "required", "returned")
        .collect(engine="in-memory")
    )
    write_found(connection, found.rows())
