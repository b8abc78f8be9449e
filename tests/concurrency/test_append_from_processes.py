"""Eight processes append to one log at once, some failing half-way: the log stays dense and verifiable."""

import multiprocessing
import random
from datetime import UTC, datetime
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import create_key_file, sign_log
from rounds.ledger.storage import get_log, head_of
from rounds.ledger.verify.verify_log import verify_log
from rounds.ledger.writing.append import append, make_entry, open_log
from tests.entry_kinds import NOTE

PROCESSES = 8
BATCHES = 30
NOW = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)


class Stumbled(Exception):
    """A transaction that failed after its entries were appended."""


Receipts = list[tuple[int, bytes]]


def append_and_stumble(process: int, receipts: "Queue[Receipts]") -> None:
    """Appends batches of 1 to 40 entries; every fifth transaction is rolled back. Some sign in between."""
    dice = random.Random(process)
    kept: Receipts = []
    try:
        for batch in range(BATCHES):
            kept += act(process, batch, dice.randint(1, 40))
            if batch % 7 == process % 7:
                sign_log("harbour", NOW)
    finally:
        connection.close()
        receipts.put(kept)


def act(process: int, batch: int, entries: int) -> Receipts:
    notes = [make_entry(NOTE, {"process": process, "batch": batch, "n": n}) for n in range(entries)]
    try:
        with transaction.atomic():
            given = append("harbour", notes, NOW)
            if batch % 5 == 4:
                raise Stumbled
    except Stumbled:
        return []
    return [(receipt.index, receipt.leaf_sha256) for receipt in given]


@pytest.fixture
def log(transactional_db: None, tmp_path: Path, settings: Any) -> str:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    open_log("harbour", NOW)
    return "harbour"


def test_they_leave_a_dense_log_that_fits(log: str) -> None:
    connection.close()
    context = multiprocessing.get_context("fork")
    receipts: Queue[Receipts] = context.Queue()
    processes = [context.Process(target=append_and_stumble, args=(one, receipts)) for one in range(PROCESSES)]
    for process in processes:
        process.start()
    given = [receipt for _ in processes for receipt in receipts.get(timeout=60)]
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0] * PROCESSES

    size = head_of(get_log(log)).size
    assert [index for index, _ in sorted(given)] == list(range(size))
    assert [(entry.index, entry.leaf_sha256) for entry in read_entries(log, 0, size)] == sorted(given)
    verdict = verify_log(log)
    assert verdict.issues == ()
    assert verdict.checked["entries"] == size > PROCESSES * BATCHES
    assert SignedCheckpoint.objects.count() > PROCESSES
