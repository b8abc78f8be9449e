"""From signed NDJSON to recorded discrepancies, against peer implementations fed the same bytes, on two cores.

Ours: HTTP, signatures, strict validation, the ledger and every check, audited by two Celery workers. The peers get the
lines without HTTP, except the site with the ORM, and recompute settlements only (support/wire_peers.py).
"""

import json
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg
from django.db import connection

from compliance.audit.models import Coverage
from compliance.audit.projections.rounds import CONSUMER
from compliance.audit.tasks import AUDIT_TASK
from compliance.core.web.jobs.wake import wake
from rounds.ledger import position_of, size_of
from tests.bench.support import wire_peers
from tests.bench.support.bulk_rounds import WAGERS_A_ROUND
from tests.bench.support.celery_workers import Workers, workers
from tests.bench.support.measurement import Case, at_least, at_most, figure_of
from tests.bench.support.process_tree import cpu_seconds
from tests.bench.support.web_server import PLAIN, PreparedRequest, post_all, run_concurrently, web_server
from tests.bench.support.wire_floor import Discrepancy, WireFloor, Workload, open_wire_floor
from tests.bench.support.workload_size import Size
from tests.conftest import superuser

LOG, ONE_WRONG_IN, WORKERS, SENDERS = "harbour", 50_000, 2, 2
DRF, JSONB, NORMALISED = "DRF, ORM, Python loop", "COPY into jsonb, JSON_TABLE", "Python normaliser, SQL"
DUCKDB, POLARS, PLANNED = "DuckDB on files", "Polars on files", "planned with"
AIMS = {DRF: at_least(20), JSONB: at_least(1), NORMALISED: at_least(1), DUCKDB: at_least(1), POLARS: at_least(1)}
MOST_CPU_SECONDS = 6
WAKE_EVERY, AUDIT_SECONDS = 0.25, 3_600
FOUND = """
SELECT 'r-' || ledger_entry."table" || '-' || sequence, wager, required_cents, found_cents
FROM audit_finding JOIN ledger_entry ON ledger_entry.index = subject_index
JOIN ledger_log ON ledger_log.id = ledger_entry.log_id AND slug = %s
WHERE code LIKE 'SETTLE-%%' AND subject_index >= %s
"""


def cases(size: Size) -> Iterator[Case]:
    floor = open_wire_floor(ONE_WRONG_IN)
    name = connection.settings_dict["NAME"]
    folder = Path(tempfile.mkdtemp())
    try:
        with (
            superuser(name) as admin,
            superuser(name) as peers,
            web_server() as ours,
            web_server(PLAIN) as plain,
            workers(WORKERS, admin) as running,
        ):
            wire_peers.create_tables(admin, floor.tables)
            admin.execute(f'GRANT SELECT ON plain_plainround, plain_plainwager TO "{connection.settings_dict["USER"]}"')
            yield from Wire(floor, size, folder, peers, running, ours, plain).cases()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Wire:
    """Each run of ours prepares the next workload; the peers' runs that follow get the same."""

    def __init__(
        self,
        floor: WireFloor,
        size: Size,
        folder: Path,
        peers: psycopg.Connection,
        running: Workers,
        ours: int,
        plain: int,
    ) -> None:
        self.floor, self.rounds, self.folder, self.peers, self.running = (
            floor,
            size.wire // WAGERS_A_ROUND,
            folder,
            peers,
            running,
        )
        self.ours, self.plain = ours, plain
        self.workload, self.files, self.begun = Workload(), list[Path](), 0
        self.cpu: dict[str, deque[float]] = {}

    def cases(self) -> Iterator[Case]:
        self.warm_up()
        ways = {
            DRF: self.post_plainly,
            JSONB: lambda: self.settle(wire_peers.settle_jsonb, self.workload.bodies),
            NORMALISED: lambda: self.settle(
                wire_peers.settle_normalised, self.workload.bodies, self.floor.tables
            ),
            DUCKDB: lambda: self.settle(wire_peers.settle_files_in_duckdb, self.files),
            POLARS: lambda: self.settle(wire_peers.settle_files_in_polars, self.files),
        }  # fmt: skip
        yield Case(
            "wire to verdict, wall time",
            "wagers/s",
            partial(self.run, "ours", self.everything, self.next_workload),
            {peer: partial(self.run, peer, way) for peer, way in ways.items()},
            AIMS,
            figure_of,
        )
        yield Case(
            "wire to verdict, processor time for a million wagers",
            "s",
            self.cpu["ours"].popleft,
            {PLANNED: lambda: MOST_CPU_SECONDS, **{peer: self.cpu[peer].popleft for peer in ways}},
            {PLANNED: at_most(1)},
            figure_of,
        )

    def warm_up(self) -> None:
        """The first requests open connections, and the first rounds of a table load its rule pack."""
        self.workload = self.floor.prepare(len(self.floor.tables) * 10)
        self.everything()
        self.running.drain_queue()

    def next_workload(self) -> None:
        self.workload = self.floor.prepare(self.rounds)
        self.files = self.workload.write_files(self.folder)

    def run(self, name: str, way: Callable[[], int], prepare: Callable[[], None] | None = None) -> float:
        """Wagers a second of wall time; the processor time of every process below this one is noted beside it."""
        if prepare is not None:
            prepare()
        cpu, begun = cpu_seconds(), time.perf_counter()
        wagers = way()
        taken, cpu = time.perf_counter() - begun, cpu_seconds() - cpu
        self.check(name)
        self.cpu.setdefault(name, deque()).append(cpu * 1_000_000 / wagers)
        return wagers / taken

    def everything(self) -> int:
        """Until every line is acknowledged and its verdict recorded."""
        self.begun = size_of(LOG)
        sending = [self.workload.requests[number::SENDERS] for number in range(SENDERS)]
        run_concurrently([partial(post_in_turn, self.ours, requests) for requests in sending])
        end, until = size_of(LOG), time.monotonic() + AUDIT_SECONDS
        while position_of(CONSUMER, LOG) < end:
            wake(AUDIT_TASK)
            if time.monotonic() > until:
                raise SystemExit("The workers did not read the log.")
            time.sleep(WAKE_EVERY)
        self.running.audit()
        return self.workload.rounds * WAGERS_A_ROUND

    def post_plainly(self) -> int:
        """A tenth: the whole would take hours."""
        post_all(self.plain, [PreparedRequest("/rounds", part.body, part.headers) for part in self.workload.part()])
        return wire_peers.settle_plain_rounds(self.peers)

    def settle(self, way: Callable[..., None], *input_of_peer: object) -> int:
        way(self.peers, *input_of_peer)
        return self.workload.rounds * WAGERS_A_ROUND

    def check(self, name: str) -> None:
        """Exactly the planted errors must be found: the speed of a wrong answer is worthless."""
        planted = sorted(self.workload.planted)
        if name == "ours":
            found = self.found_by_ours()
            self.running.drain_queue()
        else:
            found = wire_peers.take_found(self.peers)
        if name == DRF:
            sent = {round_name(each) for part in self.workload.part() for each in part.body.splitlines()}
            planted = [each for each in planted if each[0] in sent]
            self.peers.execute("TRUNCATE plain_plainround CASCADE")
            self.peers.commit()
        if found != planted:
            raise SystemExit(f"{name} did not find just what was planted.")

    def found_by_ours(self) -> list[Discrepancy]:
        covered = sum(Coverage.objects.values_list("wagers", flat=True))
        if covered != sum(controller.sent for controller in self.floor.controllers) * WAGERS_A_ROUND:
            raise SystemExit(f"{covered:,} wagers were audited; that is not all of them.")
        with connection.cursor() as cursor:
            cursor.execute(FOUND, [LOG, self.begun])
            return sorted(cursor.fetchall())


def round_name(line: bytes) -> str:
    """The name of its round."""
    return str(json.loads(line)["body"]["round"])


def post_in_turn(port: int, controllers: list[list[PreparedRequest]]) -> list[float]:
    return [taken for requests in controllers for taken in post_all(port, requests)]
