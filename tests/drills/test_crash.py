"""The crash drill in short: the web server is killed in the middle of its work, and the reference client goes on.

The same parts as in the drill, on the tests' own database, which is not killed because others are using it.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings
from django.db import connection
from django.utils import timezone

from compliance.config.environment import PROJECT, database_address
from compliance.config.servers import free_port
from rounds.intake.kinds.examples import BODIES
from rounds.intake.models import Batch, Feed
from rounds.ledger.checkpoints import verifier
from rounds.ledger.verification import verify_log
from rounds.simulator.client.spool import write_line
from tests.drills.aftermath import Kept, Row, compare
from tests.drills.controllers import acknowledged, speak
from tests.drills.plans import Plan
from tests.drills.service import Supervisor, signal_all
from tests.drills.test_statements import crew
from tests.rounds.floor.crew import SECRET, Crew, new_table, speaking_controller
from tests.rounds.intake.test_batches import entries_of_controllers

__all__ = ["crew"]

LINES = 60
# Nothing is spread over time: batch after batch.
LONG_AGO = 1.0
PATIENCE_SECONDS = 600


def environment(folder: Path, port: int) -> dict[str, str]:
    address = database_address(os.environ["DATABASE_URL"], "DATABASE_URL")
    name = connection.settings_dict["NAME"]
    url = f"postgresql://{address.user}:{address.password}@{address.host}:{address.port}/{name}"
    return {**os.environ, "DATABASE_URL": url, "PORT": str(port), "LEDGER_KEY_FILE": str(settings.LEDGER_KEY_FILE)}


@pytest.fixture
def plan(crew: Crew, tmp_path: Path) -> Plan:
    speaking_controller(crew, new_table(crew, "sb-1"))
    key_file = tmp_path / "box-1.pem"
    key_file.write_bytes(SECRET.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    plan = Plan("harbour", "sb-1", "box-1", str(key_file), str(verifier("harbour")), LINES)
    lines = [write_line("round", "sb-1", number, timezone.now(), {**BODIES["round"], "round": f"r-{number}"})
             for number in range(1, LINES + 1)]  # fmt: skip
    plan.path(tmp_path).write_bytes(b"".join(line + b"\n" for line in lines))
    return plan


def test_a_killed_web_server_loses_and_doubles_nothing(plan: Plan, tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "compliance.config.wsgi:application", "--bind", f"127.0.0.1:{port}"]
    command += ["--worker-class", "gthread", "--threads", "8", "--log-level", "critical"]

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(command, cwd=PROJECT, env=environment(tmp_path, port), start_new_session=True)

    web = Supervisor("web", start)
    client = threading.Thread(
        target=speak,
        args=(plan, tmp_path, f"http://127.0.0.1:{port}", LONG_AGO),
        kwargs={"asks_for_proof": False},
    )
    try:
        web.start()
        client.start()
        for part in (LINES // 4, LINES // 2):
            wait_until(partial(is_said, plan, tmp_path, part))
            signal_all(web.pids(), signal.SIGKILL)
        client.join(PATIENCE_SECONDS)
    finally:
        web.stop()
    promised = acknowledged(tmp_path, [plan])
    there = {entry.sequence: entry.index for entry in entries_of_controllers()}
    assert {sequence: {index for index, _ in where} for (_, _, sequence), where in promised.items()} == {
        sequence: {index} for sequence, index in there.items()
    }
    assert set(there) == set(range(1, LINES + 1))
    assert sum(batch.entries for batch in Batch.objects.all()) == Feed.objects.get().accepted == LINES
    assert web.starts == 3
    assert verify_log("harbour").misfits == ()


def is_said(plan: Plan, folder: Path, lines: int) -> bool:
    return len(acknowledged(folder, [plan])) >= lines


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_the_drill_sees_a_finding_that_only_one_of_the_runs_has() -> None:
    quiet = Kept({}, findings=_rows("a", "b"), cases=_rows(), alerts=_rows("fault"))
    assert compare(Kept({}, findings=_rows("a", "b"), cases=_rows(), alerts=_rows("fault")), quiet) == []
    wrong = compare(Kept({}, findings=_rows("b", "c"), cases=_rows("x"), alerts=_rows()), quiet)
    assert [sentence.split(",")[0] for sentence in wrong] == [
        "1 findings are missing",
        "1 findings are found only under disturbance",
        "1 cases are found only under disturbance",
        "1 alerts are missing",
    ]


def _rows(*names: str) -> Counter[Row]:
    return Counter(("harbour", name) for name in names)
