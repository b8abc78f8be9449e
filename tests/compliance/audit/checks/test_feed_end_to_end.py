"""Feed faults that the simulator plants, sent through the service and audited: each is found with its code."""

import json
from pathlib import Path
from typing import Any

from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from rounds.floor.models import Table
from tests.rounds.floor.crew import Crew
from tests.rounds.simulator.conftest import crew, keys
from tests.rounds.simulator.delivery.test_simulate_into_service import table

__all__ = ["crew", "keys", "table"]

PLANTED = "FEED-GAP,FEED-CONFLICT,FEED-LATE,FEED-SKEW,FEED-SIGNATURE,FEED-QUARANTINE"


def test_every_fault_of_a_feed_is_found(
    crew: Crew, table: Table, live_server: LiveServer, keys: Path, tmp_path: Path
) -> None:
    truth_file = tmp_path / "truth.ndjson"
    call_command(
        "simulate",
        casino="harbour",
        address=live_server.url,
        keys=keys,
        rounds=25,
        faults=PLANTED,
        truth=truth_file,
        seed=4,
        stdout=(tmp_path / "said.txt").open("w"),
    )
    for _ in audit_log(crew.harbour):
        pass
    found = Finding.objects.current().filter(code__startswith="FEED-")
    assert set(found.values_list("code", flat=True)) == set(PLANTED.split(","))
    assert set(found.values_list("table", flat=True)) == {"sb-1"}
    others = Finding.objects.current().exclude(code__startswith="FEED-").values_list("code", flat=True)
    assert set(others) <= {one["code"] for one in truths(truth_file)} | {"WAGER-UNDER-MIN"}
    assert found.filter(code="FEED-GAP").count() == 1
    assert found.filter(code="FEED-SKEW").count() >= 1


def truths(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
