"""Disk space and processor time of play, against the planning figures of the help page on capacity."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.db import connection

from compliance.config.help import capacity
from rounds.ledger.verify.verify_log import verify_log
from tests.bench.support.controllers import (
    Controller,
    controllers_at,
    prepare_batches,
    receive_batches,
    run_consumers,
)
from tests.bench.support.measurement import Case, at_most, figure_of
from tests.bench.support.workload_size import Size
from tests.rounds.floor.crew import gather

PLANNED = "planned with"
SMALL, LARGE = 20, 2_000
# Tables that grow with play; what people record is small in comparison.
STORED = """
SELECT sum(pg_total_relation_size(oid)) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
AND relname ~ '^(ledger_|audit_|intake_|desk_|reviews_)'
"""
TICKS = os.sysconf("SC_CLK_TCK")


def cases(size: Size) -> Iterator[Case]:
    tables = controllers_at(gather(), 4, SMALL)
    grown = [GrowthCost(tables, max(1, size.verified // 4)) for _ in range(size.times)]
    for controller in tables:
        controller.wagers = LARGE
    large = [GrowthCost(tables, max(1, size.verified // 400)) for _ in range(size.times)]
    yield budget_case(
        "stored a round of 20 wagers", "bytes", [one.bytes / one.rounds for one in grown], expected_bytes(SMALL)
    )
    yield budget_case(
        "stored a round of 2,000 wagers", "bytes", [one.bytes / one.rounds for one in large], expected_bytes(LARGE)
    )
    for what, seconds, most in (
        ("taking in", [one.taking_in for one in grown], capacity.INTAKE_SECONDS),
        ("auditing", [one.auditing for one in grown], capacity.AUDIT_SECONDS),
        ("verifying", [one.verifying for one in grown], capacity.VERIFY_SECONDS),
    ):
        yield budget_case(f"processor time for a million wagers, {what}", "s", seconds, most)


def expected_bytes(wagers: int) -> int:
    return capacity.ROUND_BYTES + wagers * capacity.WAGER_BYTES


def budget_case(what: str, unit: str, found: list[float], most: float) -> Case:
    return Case(
        what,
        unit,
        ours=iter(found).__next__,
        peers={PLANNED: lambda: most},
        aims={PLANNED: at_most(1)},
        figure=figure_of,
    )


class GrowthCost:
    """The cost of receiving, consuming, auditing and verifying that many rounds."""

    def __init__(self, tables: list[Controller], rounds: int) -> None:
        before, millions = bytes_stored(), rounds * tables[0].wagers / 1_000_000
        self.rounds = rounds
        # What the controllers do is not part of the cost.
        batches = list(prepare_batches(tables, rounds))
        self.taking_in = processor_time(lambda: receive_batches(batches)) / millions
        self.auditing = processor_time(run_consumers) / millions
        self.bytes = bytes_stored() - before
        verified = processor_time(lambda: verify_log("harbour"))
        # Verification reads the whole log each time, so the cost is divided by all wagers so far.
        self.verifying = verified / (sum(table.sent * table.wagers for table in tables) / 1_000_000)


def bytes_stored() -> int:
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        return int(cursor.fetchone()[0])


def processor_time(act: Callable[[], object]) -> float:
    """Of this process and of its PostgreSQL backend."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = Path("/proc") / str(cursor.fetchone()[0]) / "stat"
    before = time.process_time() + cpu_ticks(backend)
    act()
    return time.process_time() + cpu_ticks(backend) - before


def cpu_ticks(backend: Path) -> float:
    """User and system time: fields 14 and 15, counted after the name in brackets."""
    fields = backend.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
