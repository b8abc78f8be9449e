"""Latency of a receipt with fifty controllers that send one round at a time each.

The peer inserts and commits one row a round for the same concurrent callers, without checks or hashes.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

import psycopg
from django.db import connection

from rounds.intake.protocol.envelope import parse_line
from rounds.ledger.writing.append import NewEntry
from rounds.ledger.writing.batch_append import submit
from tests.bench.support.controllers import Controller, controllers_at
from tests.bench.support.measurement import Case, Way, at_most, figure_of
from tests.bench.support.web_server import PLAIN, PreparedRequest, percentile, post_all, run_concurrently, web_server
from tests.bench.support.workload_size import Size
from tests.rounds.floor.crew import gather

CONTROLLERS = 50
INSERT = """
INSERT INTO plain_entry (log_id, index, kind, "table", controller, sequence, recorded_at, body, leaf_sha256)
VALUES (2, nextval('plain_index'), 'round', %s, %s, %s, now(), %s, %s)
"""
LEAF = bytes(32)
PERCENT = (50, 99)
Acts: TypeAlias = Sequence[Callable[[], list[float]]]


def cases(size: Size) -> Iterator[Case]:
    with web_server(threads=CONTROLLERS) as ours, web_server(PLAIN, threads=CONTROLLERS) as plain:
        boxes = [ControllerRounds(controller, size.rounds_each) for controller in controllers_at(gather(), CONTROLLERS)]
        posting: Acts = [partial(box.post, ours) for box in boxes]
        plainly: Acts = [partial(box.post_plainly, plain) for box in boxes]
        prepare_all(boxes)
        for acts in (posting, plainly):
            # Warm-up: a server's first requests open its connections.
            run_concurrently(acts)
        for percent in PERCENT:
            yield latency_case("over HTTP", percent, boxes, posting, plainly)
            yield latency_case(
                "in one process", percent, boxes, [box.submit for box in boxes], [box.insert for box in boxes]
            )


def latency_case(where: str, percent: int, boxes: "Sequence[ControllerRounds]", ours: Acts, theirs: Acts) -> Case:
    return Case(
        f"single rounds, {CONTROLLERS} controllers at once, {where}: p{percent}",
        "ms",
        ours=milliseconds(ours, percent),
        peers={f"one INSERT {where}": milliseconds(theirs, percent)},
        aims={f"one INSERT {where}": at_most(4)} if percent == max(PERCENT) else {},
        figure=figure_of,
        prepare=partial(prepare_all, boxes),
    )


def milliseconds(acts: Acts, percent: int) -> Way:
    return lambda: 1000 * percentile(run_concurrently(acts), percent)


def prepare_all(boxes: "Sequence[ControllerRounds]") -> None:
    for box in boxes:
        box.prepare()


class ControllerRounds:
    """A controller with its next rounds prepared."""

    def __init__(self, controller: Controller, rounds: int) -> None:
        self.controller, self.rounds = controller, rounds
        self.signed: list[PreparedRequest] = []
        self.plain: list[PreparedRequest] = []
        self.lines: list[bytes] = []

    def prepare(self) -> None:
        box = self.controller
        before, self.lines = box.sent, box.next_lines(self.rounds)
        self.signed = [box.sign([line]) for line in self.lines]
        self.plain = [
            PreparedRequest(
                "/entry",
                line,
                {"Table": box.table, "Controller": box.slug, "Sequence": str(sequence), "Leaf": LEAF.hex()},
            )
            for sequence, line in enumerate(self.lines, before + 1)
        ]

    def post(self, port: int) -> list[float]:
        return post_all(port, self.signed)

    def post_plainly(self, port: int) -> list[float]:
        return post_all(port, self.plain)

    def submit(self) -> list[float]:
        """Parsed, checked, hashed and appended as in intake, without web server and signature."""
        connection.ensure_connection()
        taken = []
        for line in self.lines:
            begun = time.perf_counter()
            sequence = parse_line(line).sequence
            entry = NewEntry(
                kind="round", body=line, table=self.controller.table, controller=self.controller.slug, sequence=sequence
            )
            submit("harbour", [entry], datetime.now(UTC))
            taken.append(time.perf_counter() - begun)
        connection.close()
        return taken

    def insert(self) -> list[float]:
        taken = []
        with closing(psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True)) as own:
            for sequence, line in enumerate(self.lines, self.controller.sent - len(self.lines) + 1):
                begun = time.perf_counter()
                own.execute(INSERT, [self.controller.table, self.controller.slug, sequence, line, LEAF])
                taken.append(time.perf_counter() - begun)
        return taken
