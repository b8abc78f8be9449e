"""Five tables, one under each rule pack, whose controllers sign batches: the same bytes for ours and its peers."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rounds.floor.models import Table
from rounds.floor.services import assign_table
from tests.bench.support.bulk_rounds import ROUNDS_A_BATCH, BulkFloor, BulkTable, open_floor, play_round
from tests.bench.support.controllers import Controller, public_bytes
from tests.bench.support.web_server import PreparedRequest
from tests.rounds.floor.crew import OPENING, new_controller, trusted_key

# Round, wager, amount required, amount returned.
Discrepancy = tuple[str, str, int, int]


@dataclass
class WireFloor:
    """A casino whose controllers prepare signed batches of rounds. One batch holds rounds of one table."""

    floor: BulkFloor
    controllers: list[Controller]
    one_wrong_in: int
    dice: random.Random = field(default_factory=lambda: random.Random(2))

    @property
    def tables(self) -> tuple[BulkTable, ...]:
        return self.floor.tables

    def prepare(self, rounds: int) -> "Workload":
        """The next rounds of every table, `rounds` in all."""
        each = rounds // len(self.tables)
        workload = Workload()
        for table, controller in zip(self.tables, self.controllers, strict=True):
            sizes = [min(ROUNDS_A_BATCH, each - begun) for begun in range(0, each, ROUNDS_A_BATCH)]
            workload.requests.append([self._batch(table, controller, size, workload) for size in sizes])
        return workload

    def _batch(self, table: BulkTable, controller: Controller, rounds: int, workload: "Workload") -> PreparedRequest:
        lines = []
        for _ in range(rounds):
            controller.sent += 1
            played = play_round(table, controller.sent, self.dice, self.one_wrong_in)
            lines.append(played.entry.body)
            workload.planted += [(f"r-{table.slug}-{controller.sent}", *wrong) for wrong in played.wrong]
        workload.rounds += rounds
        return controller.sign(lines)


@dataclass
class Workload:
    """Signed batches by controller, and the errors in them."""

    requests: list[list[PreparedRequest]] = field(default_factory=list)
    planted: list[Discrepancy] = field(default_factory=list)
    rounds: int = 0

    @property
    def bodies(self) -> list[bytes]:
        return [request.body for requests in self.requests for request in requests]

    def part(self, tenth: int = 10) -> list[PreparedRequest]:
        """About a tenth of the batches, one of each controller at least, for an implementation that is slow."""
        return [request for requests in self.requests for request in requests[: max(1, len(requests) // tenth)]]

    def write_files(self, folder: Path) -> list[Path]:
        """One NDJSON file a controller."""
        paths = [folder / f"{number}.ndjson" for number in range(len(self.requests))]
        for path, requests in zip(paths, self.requests, strict=True):
            path.write_bytes(b"".join(request.body + b"\n" for request in requests))
        return paths


def open_wire_floor(one_wrong_in: int) -> WireFloor:
    floor = open_floor(one_wrong_in)
    controllers = []
    for number, table in enumerate(floor.tables, 1):
        secret = Ed25519PrivateKey.from_private_bytes(number.to_bytes(32))
        box = new_controller(floor.house.crew, f"wire-{number}")
        trusted_key(floor.house.crew, box, public_bytes(secret))
        at = Table.objects.get(casino=floor.house.casino, slug=table.slug)
        assign_table(controller=box, table=at, actor=floor.house.crew.cora, now=OPENING)
        controllers.append(Controller(table.slug, box.slug, secret))
    return WireFloor(floor, controllers, one_wrong_in)
