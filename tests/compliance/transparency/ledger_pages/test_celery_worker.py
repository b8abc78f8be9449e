"""The ledger's Celery tasks in a real worker process, with the real queue and the service's Celery application."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings as project
from django.db import connection

from compliance.config.celery import app
from compliance.config.environment import PROJECT
from compliance.transparency.ledger_pages.models import Bundle
from compliance.transparency.ledger_pages.services import request_log_verification, request_range_bundle
from rounds.ledger.proofs.entry_proof import newest_checkpoint
from rounds.ledger.readers.search import EntryQuery, search_entries, size_of
from rounds.ledger.tasks import INDEX_TASK, VERIFY_TASK
from rounds.ledger.verify.history import last_verification
from rounds.ledger.verify.verification_requests import running_verification
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, play

SIGN = "rounds.ledger.tasks.sign_every_log"
PATIENCE_SECONDS = 90


def wait_until(is_so: Callable[[], Any], worker: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert worker.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.05)


@contextmanager
def a_worker(queue: str, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker as the Procfile starts it, with this test's database, key and folders, and its own queue."""
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    environment = os.environ | {
        "DATABASE_URL": address.geturl(),
        "LEDGER_KEY_FILE": str(project.LEDGER_KEY_FILE),
        "SITE_NAME": project.SITE_NAME,
        "DATA_DIR": str(Path(project.EVIDENCE_DIR).parent),
    }
    command = [sys.executable, "-m", "celery", "--quiet", "--app", "compliance.config", "worker"]
    with log.open("wb") as output:
        worker = subprocess.Popen(
            [*command, "--queues", queue, "--concurrency", "1", "--without-gossip", "--without-mingle"],
            cwd=PROJECT,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield worker
    finally:
        worker.send_signal(signal.SIGTERM)
        try:
            worker.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()


def test_a_worker_signs_notes_verifies_and_prepares_evidence(committed_floor: Floor, tmp_path: Path) -> None:
    """Each task is sent twice: its work is done once."""
    play(20)
    size = size_of("harbour")
    queue, log = f"evidence-{os.getpid()}", tmp_path / "worker.log"
    who: Any = {"casino": committed_floor.harbour, "actor": committed_floor.ines, "now": OPENED_AT}
    bundle = request_range_bundle(first=size - 20, last=size - 1, **who)
    with a_worker(queue, log) as worker:
        for task in (SIGN, SIGN, INDEX_TASK, INDEX_TASK):
            app.send_task(task, queue=queue)
        wait_until(lambda: newest_checkpoint("harbour"), worker, log)
        wait_until(lambda: search_entries("harbour", EntryQuery(round="R-7")).entries, worker, log)
        for task in (Bundle.task, Bundle.task):
            app.send_task(task, queue=queue)
        wait_until(lambda: Bundle.objects.filter(state="done").exists(), worker, log)
        request_log_verification(**who)
        for task in (VERIFY_TASK, VERIFY_TASK):
            app.send_task(task, queue=queue)
        wait_until(lambda: last_verification("harbour") and not running_verification("harbour"), worker, log)
    bundle.refresh_from_db()
    assert (bundle.attempts, bundle.entry_index) == (1, size)
    assert bundle.path.is_file()
    verified = last_verification("harbour")
    assert verified is not None
    assert (verified.is_whole, verified.is_complete, verified.size) == (True, True, size + 1)
    assert size_of("harbour") == size + 2


@pytest.fixture(autouse=True)
def no_messages_left() -> Iterator[None]:
    yield
    with redis.Redis.from_url(project.REDIS_URL) as client:
        client.delete(f"evidence-{os.getpid()}")
