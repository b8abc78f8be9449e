"""Intake over HTTP: signed batches of 500 rounds with twenty wagers, checked, hashed and committed.

The peers get the same rounds: a plain site with a ModelSerializer and bulk_create, and COPY of unchecked rows.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import psycopg

from rounds.ledger.writing.append import COLUMN_TYPES
from rounds.transparency_log.formats.leaf import make_header, make_leaf
from tests.bench.plain.views import flatten_line
from tests.bench.support.controllers import BEGAN_AT, Controller, controllers_at
from tests.bench.support.measurement import Case, at_least
from tests.bench.support.web_server import PLAIN, PreparedRequest, post_all, run_concurrently, web_server
from tests.bench.support.workload_size import Size
from tests.rounds.floor.crew import gather

ROUNDS, WAGERS = 500, 20
SENDERS = 2
DRF, UNCHECKED = "DRF ModelSerializer, bulk_create", "COPY without any check"
JSON = {"Content-Type": "application/json"}
COPY = """
COPY plain_entry (log_id, index, kind, "table", controller, sequence, recorded_at, body, leaf_sha256)
FROM STDIN (FORMAT BINARY)
"""


def cases(size: Size) -> Iterator[Case]:
    with web_server() as ours, web_server(PLAIN) as plain:
        senders = [Sender(controller, size.batches) for controller in controllers_at(gather(), SENDERS, WAGERS)]
        prepare_all(senders)
        for sender in senders:
            # Warm-up: a server's first requests open its connections.
            sender.post_to(ours)()
            sender.post_plainly(plain)()
        yield Case(
            f"intake over HTTP, batches of {ROUNDS} rounds of {WAGERS} wagers",
            "rounds/s",
            ours=partial(everybody, [sender.post_to(ours) for sender in senders]),
            peers={
                DRF: partial(everybody, [sender.post_plainly(plain) for sender in senders]),
                UNCHECKED: partial(everybody, [sender.copy for sender in senders]),
            },
            aims={DRF: at_least(15), UNCHECKED: at_least(0.25)},
            prepare=partial(prepare_all, senders),
        )


def everybody(acts: Sequence[Callable[[], list[float]]]) -> float:
    """All senders concurrently; a batch is done when it is answered."""
    return ROUNDS * len(run_concurrently(acts))


def prepare_all(senders: "Sequence[Sender]") -> None:
    for sender in senders:
        sender.prepare()


class Sender:
    """One controller, with its next batches prepared for each implementation."""

    def __init__(self, controller: Controller, batches: int) -> None:
        self.controller, self.batches = controller, batches
        # Kept open, like a server's connection.
        self.connection = psycopg.connect(os.environ["DATABASE_OWNER_URL"])
        self.signed: list[PreparedRequest] = []
        self.plain: list[PreparedRequest] = []
        self.rows: list[list[tuple[object, ...]]] = []

    def prepare(self) -> None:
        controller = self.controller
        before = controller.sent
        batches = [controller.next_lines(ROUNDS) for _ in range(self.batches)]
        self.signed = [controller.sign(lines) for lines in batches]
        # A tenth is enough to measure the rate of a slow implementation.
        self.plain = [
            PreparedRequest("/rounds", as_list(lines), JSON) for lines in batches[: max(1, self.batches // 10)]
        ]
        self.rows = [rows_of(controller, before + place * ROUNDS, lines) for place, lines in enumerate(batches)]

    def post_to(self, port: int) -> Callable[[], list[float]]:
        return lambda: post_all(port, self.signed)

    def post_plainly(self, port: int) -> Callable[[], list[float]]:
        return lambda: post_all(port, self.plain)

    def copy(self) -> list[float]:
        for rows in self.rows:
            with self.connection.cursor() as cursor, cursor.copy(COPY) as copied:
                copied.set_types(COLUMN_TYPES)
                for row in rows:
                    copied.write_row(row)
            self.connection.commit()
        return [0.0] * len(self.rows)


def as_list(lines: Sequence[bytes]) -> bytes:
    """The plain site's format: one list without envelope, and the wager's id as `wager`, which is no primary key."""
    return json.dumps([flatten_line(json.loads(line)) for line in lines], separators=(",", ":")).encode()


def rows_of(controller: Controller, before: int, lines: Sequence[bytes]) -> list[tuple[object, ...]]:
    """The rows that our intake writes, with their hashes computed beforehand."""
    rows = []
    for sequence, line in enumerate(lines, before + 1):
        whose = {"kind": "round", "table": controller.table, "controller": controller.slug, "sequence": sequence}
        leaf = make_leaf(make_header(log="harbour", recorded_at=BEGAN_AT, **whose), line)  # type: ignore[arg-type]
        log = int(controller.slug.rpartition("-")[2])
        rows.append((log, sequence, *whose.values(), BEGAN_AT, line, leaf.leaf_hash))
    return rows
