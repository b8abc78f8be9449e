"""Faults of people's records are planted right after a signature, although the service keeps appending entries."""

import io
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from rounds.floor.models import Table
from rounds.ledger import append, make_entry
from tests.rounds.simulator.conftest import crew, keys
from tests.rounds.simulator.delivery.test_simulate_into_service import table

__all__ = ["crew", "keys", "table"]
PAUSE_SECONDS = 0.005


def append_until(stopped: Event) -> int:
    appended = 0
    try:
        while not stopped.wait(PAUSE_SECONDS):
            with transaction.atomic():
                append("harbour", [make_entry("audit-coverage", {})], timezone.now())
            appended += 1
        return appended
    finally:
        connection.close()


def test_records_are_planted_while_other_entries_are_appended(table: Table, keys: Path, tmp_path: Path) -> None:
    said, truth, stopped = io.StringIO(), tmp_path / "truth.ndjson", Event()
    with ThreadPoolExecutor(1) as service:
        appended = service.submit(append_until, stopped)
        try:
            call_command(
                "simulate",
                casino="harbour",
                rounds=5,
                faults="LEDGER-BROKEN",
                truth=truth,
                keys=keys,
                in_process=True,
                stdout=said,
            )
        finally:
            stopped.set()
        assert appended.result(60) > 0
    assert "No room" not in said.getvalue()
    codes = {json.loads(line)["code"] for line in truth.read_text().splitlines()}
    assert {"CHECKPOINT-LATE", "LEDGER-BROKEN"} <= codes
