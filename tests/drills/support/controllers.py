"""The controllers of a drill: the reference client at every table, with its spool on disk, one thread a table.

`python -m tests.drills.support.controllers PLANS ADDRESS UNTIL`; killed and restarted, each resumes.
"""

import json
import os
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rounds.simulator.client.batch_signature import Signer
from rounds.simulator.client.receipt_proofs import ProofFailed
from rounds.simulator.client.sender import BatchRefused, Sender, ServiceResponse
from rounds.simulator.client.spool import Spool
from rounds.simulator.delivery.controller_keys import read_private_key
from tests.drills.support.controller_plans import Plan, read_plans

ENTRIES = "/api/v1/entries"
# Shorter than a real controller's, because a drill takes minutes.
LONGEST_WAIT_SECONDS = 2.0
ACKNOWLEDGED = "acknowledged.ndjson"
TROUBLES = "troubles"
# File of answers that are errors of the service, where it should have refused cleanly.
FAULTS_OF_OURS = "faults-of-ours"
# (casino, table, sequence) → index and leaf hash in the receipt.
Promised = dict[tuple[str, str, int], set[tuple[int, str]]]


class RecordingSender(Sender):
    """Records durably what the service acknowledged, for the drill's checks."""

    def _post(self, lines: list[bytes]) -> ServiceResponse | None:
        answer = super()._post(lines)
        if answer is not None and answer.status >= 500 and answer.status != 503:
            _append_text(self.spool.folder.parent / FAULTS_OF_OURS, f"{answer.status} {answer.body.get('request_id')}")
        return answer

    def _verify_receipts(self, answer: ServiceResponse, lines: list[bytes]) -> None:
        super()._verify_receipts(answer, lines)
        save_receipts(self.spool.folder, answer.body["receipts"])


def save_receipts(spool: Path, receipts: Sequence[dict[str, Any]]) -> None:
    with (spool / ACKNOWLEDGED).open("ab") as file:
        # After a kill the last line may be incomplete: start a new one.
        file.write(b"\n")
        for receipt in receipts:
            kept = [receipt["table"], receipt["sequence"], receipt["index"], receipt["leaf_sha256"]]
            file.write(json.dumps(kept).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _append_text(path: Path, words: str) -> None:
    with path.open("a") as file:
        file.write(f"{words}\n")


def wait(seconds: float) -> None:
    time.sleep(min(seconds, LONGEST_WAIT_SECONDS))


def spool_of(folder: Path, plan: Plan) -> Path:
    return folder / f"{plan.casino}.{plan.table}"


def send_plan(plan: Plan, folder: Path, address: str, until: float, *, asks_for_proof: bool) -> None:
    """Sends the plan's lines, spread over the time until then or all at once, and returns when all are receipted."""
    spool = Spool(spool_of(folder, plan))
    sender = RecordingSender(
        address + ENTRIES,
        spool,
        Signer(read_private_key(Path(plan.key_file))),
        plan.verifier,
        clock=lambda: datetime.now(UTC),
        wait=wait,
        asks_for_proof=asks_for_proof,
    )
    lines = plan.path(folder).read_bytes().splitlines()
    while (said := spool.last_sequence(plan.table)) < len(lines):
        pause = max(0.0, until - time.time()) / (len(lines) - said)
        # One line, or a few.
        batch = lines[said : said + (random.randint(1, 3) if until else len(lines))]
        for line in batch:
            planned: dict[str, Any] = json.loads(line)
            spool.add(planned["kind"], plan.table, datetime.fromisoformat(planned["at"]), planned["body"])
        sender.send_waiting()
        time.sleep(pause * len(batch))
    sender.send_waiting()


def send_plans(plans: Sequence[Plan], folder: Path, address: str, until: float) -> None:
    """Every other table asks for proofs. Raises the first error of a thread."""
    with ThreadPoolExecutor(len(plans)) as tables:
        speaking = [
            tables.submit(send_plan, plan, folder, address, until, asks_for_proof=place % 2 == 0)
            for place, plan in enumerate(plans)
        ]
        for one in as_completed(speaking):
            one.result()


def main() -> int:
    folder, address, until = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    try:
        send_plans(read_plans(folder), folder, address, until)
    except (BatchRefused, ProofFailed) as error:
        _append_text(folder / TROUBLES, f"{type(error).__name__}: {error}")
        raise
    return 0


def acknowledged_lines(folder: Path, plans: Sequence[Plan]) -> Promised:
    """What the service acknowledged. An incomplete last line is ignored."""
    found: Promised = {}
    for plan in plans:
        path = spool_of(folder, plan) / ACKNOWLEDGED
        for line in path.read_bytes().splitlines() if path.exists() else ():
            if line.startswith(b"[") and line.endswith(b"]"):
                table, sequence, index, leaf = json.loads(line)
                found.setdefault((plan.casino, table, sequence), set()).add((index, leaf))
    return found


if __name__ == "__main__":
    sys.exit(main())
