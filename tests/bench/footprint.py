"""What play takes on disk and of the processor, beside the figures that the help page on scale reckons with."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from django.db import connection

from compliance.config import scale
from rounds.ledger.verification import verify_log
from tests.bench.controllers import Controller, controllers_at, feed, keep_up
from tests.bench.measuring import Case, at_most, figure_of
from tests.bench.size import Size
from tests.rounds.floor.crew import gather

PLANNED = "planned with"
SMALL, LARGE = 20, 2_000
# Everything that grows with play; what people do is little beside it.
STORED = """
SELECT sum(pg_total_relation_size(oid)) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
AND relname ~ '^(ledger_|audit_|intake_|desk_|reviews_)'
"""
TICKS = os.sysconf("SC_CLK_TCK")


def cases(size: Size) -> Iterator[Case]:
    tables = controllers_at(gather(), 4, SMALL)
    grown = [Grown(tables, max(1, size.verified // 4)) for _ in range(size.times)]
    for controller in tables:
        controller.wagers = LARGE
    large = [Grown(tables, max(1, size.verified // 400)) for _ in range(size.times)]
    yield planned("stored a round of 20 wagers", "bytes", [one.bytes / one.rounds for one in grown], stored(SMALL))
    yield planned("stored a round of 2,000 wagers", "bytes", [one.bytes / one.rounds for one in large], stored(LARGE))
    for what, seconds, most in (
        ("taking in", [one.taking_in for one in grown], scale.INTAKE_SECONDS),
        ("auditing", [one.auditing for one in grown], scale.AUDIT_SECONDS),
        ("verifying", [one.verifying for one in grown], scale.VERIFY_SECONDS),
    ):
        yield planned(f"processor time for a million wagers, {what}", "s", seconds, most)


def stored(wagers: int) -> int:
    return scale.ROUND_BYTES + wagers * scale.WAGER_BYTES


def planned(what: str, unit: str, found: list[float], most: float) -> Case:
    return Case(
        what,
        unit,
        ours=iter(found).__next__,
        peers={PLANNED: lambda: most},
        aims={PLANNED: at_most(1)},
        figure=figure_of,
    )


class Grown:
    """So many rounds received, followed, audited and verified, with what that took."""

    def __init__(self, tables: list[Controller], rounds: int) -> None:
        before, millions = bytes_stored(), rounds * tables[0].wagers / 1_000_000
        self.rounds = rounds
        self.taking_in = processor_time(lambda: feed(tables, rounds)) / millions
        self.auditing = processor_time(keep_up) / millions
        self.bytes = bytes_stored() - before
        verified = processor_time(lambda: verify_log("harbour"))
        # The whole log is read each time, and this is one part of it.
        self.verifying = verified / (sum(table.sent * table.wagers for table in tables) / 1_000_000)


def bytes_stored() -> int:
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        return int(cursor.fetchone()[0])


def processor_time(act: Callable[[], object]) -> float:
    """Of this process and of the one in which PostgreSQL serves it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = Path("/proc") / str(cursor.fetchone()[0]) / "stat"
    before = time.process_time() + ticks(backend)
    act()
    return time.process_time() + ticks(backend) - before


def ticks(backend: Path) -> float:
    """Time of its own and of the system on its behalf: fields 14 and 15, after the name in brackets."""
    fields = backend.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
