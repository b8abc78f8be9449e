"""The full audit, from PostgreSQL to findings, against peer implementations.

Ours: two Celery workers run every check on packed rounds and record findings, sums and coverage in the ledger. The
peers recompute settlements only, from tables already normalised, and write discrepancies to a plain table.
"""

import time
from collections.abc import Callable, Iterator

import psycopg
from django.db import connection

from compliance.audit.models import Coverage, Finding
from compliance.audit.run.worker import consume_new_entries
from tests.bench.support import peer_implementations
from tests.bench.support.bulk_rounds import WAGERS_A_ROUND, BulkFloor, open_floor
from tests.bench.support.celery_workers import Workers, reset_audit, workers
from tests.bench.support.database import url_of_database
from tests.bench.support.measurement import Case, RepeatableRate, at_least, figure_of
from tests.bench.support.normalised_tables import normalise
from tests.bench.support.workload_size import Size
from tests.conftest import superuser

ONE_WRONG_IN = 50_000
WORKERS = 2
ORM, SQL, DUCKDB, POLARS = "ORM loop", "SQL, parallel", "DuckDB, COPY binary", "Polars, COPY binary"
AIMS = {ORM: at_least(100), SQL: at_least(2), DUCKDB: at_least(4), POLARS: at_least(4)}


def cases(size: Size) -> Iterator[Case]:
    floor = open_floor(ONE_WRONG_IN)
    floor.play(size.wagers // WAGERS_A_ROUND)
    packing = seconds(lambda: consume_new_entries(floor.house.casino.slug))
    with superuser(connection.settings_dict["NAME"]) as admin:
        normalising = seconds(lambda: normalise(admin, connection.settings_dict["USER"], floor.tables))
        yield Case(
            "packing rounds as the log is followed",
            "wagers/s",
            lambda: size.wagers / packing,
            {"normalising them for the peers": lambda: size.wagers / normalising},
            figure=figure_of,
        )
        with workers(WORKERS, admin) as running:
            yield from audits(floor, running, admin, size, packing)


def audits(floor: BulkFloor, running: Workers, admin: psycopg.Connection, size: Size, packing: float) -> Iterator[Case]:
    url, wagers = url_of_database(), size.wagers

    def ours() -> int:
        running.audit()
        return wagers

    def check() -> None:
        check_findings(floor, wagers)
        running.drain_queue()
        reset_audit(admin)

    reset_audit(admin)
    own, others = RepeatableRate(ours, check), {name: RepeatableRate(way) for name, way in ways(url, size).items()}
    yield Case("audit", "wagers/s", own, others, AIMS, figure_of)
    replayed = {name: other.again for name, other in others.items()}
    counted_in = lambda: wagers / (packing + wagers / own.again())  # noqa: E731
    yield Case("audit, our packing counted in", "wagers/s", counted_in, replayed, figure=figure_of)


def ways(url: str, size: Size) -> dict[str, Callable[[], int]]:
    """The ORM loop gets a slice: the whole would take hours."""
    with psycopg.connect(url) as own:
        [first] = own.execute("SELECT min(id) FROM peer_round").fetchone() or (0,)

    def orm_loop() -> int:
        with psycopg.connect(url) as own:
            return peer_implementations.settle_in_orm(own, first, first + size.orm_wagers // WAGERS_A_ROUND)

    def sql() -> int:
        with psycopg.connect(url) as own:
            peer_implementations.settle_in_sql(own)
        return size.wagers

    def in_duckdb() -> int:
        peer_implementations.settle_in_duckdb(url)
        return size.wagers

    def in_polars() -> int:
        peer_implementations.settle_in_polars(url)
        return size.wagers

    return {ORM: orm_loop, SQL: sql, DUCKDB: in_duckdb, POLARS: in_polars}


def check_findings(floor: BulkFloor, wagers: int) -> None:
    """Exactly the planted errors must be found: the speed of a wrong answer is worthless."""
    found = Finding.objects.values_list("subject_index", "wager", "required_cents", "found_cents")
    planted = [(wrong.index, wrong.wager, wrong.required_cents, wrong.found_cents) for wrong in floor.planted]
    if sorted(found) != sorted(planted) or sum(Coverage.objects.values_list("wagers", flat=True)) != wagers:
        raise SystemExit("The audit did not find just what was planted in all there was.")


def seconds(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun
