"""The bell of trials for real: a worker process of its own and the real queue."""

import os
from pathlib import Path

import pytest
import redis
from django.conf import settings as project
from pytest_django import Settings

from compliance.config.celery import app
from compliance.trials.models import Trial
from compliance.trials.services import TRY
from compliance.trials.states import State
from rounds.ledger.checkpoints import make_key
from tests.compliance.evidence.test_by_the_queue import a_worker, wait_until
from tests.compliance.trials.bench import played_bench


@pytest.mark.usefixtures("transactional_db")
def test_a_worker_tries_what_waits_once_however_often_it_rings(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE, settings.EVIDENCE_DIR = tmp_path / "keys" / "ledger.key", tmp_path / "evidence"
    make_key(settings.LEDGER_KEY_FILE)
    bench, queue, log = played_bench(), f"trials-{os.getpid()}", tmp_path / "worker.log"
    trials = [bench.ask(), bench.ask()]
    with a_worker(queue, log) as worker:
        for _ in range(3):
            app.send_task(TRY, queue=queue)
        wait_until(lambda: Trial.objects.filter(state=State.DONE).count() == 2, worker, log)
    with redis.Redis.from_url(project.REDIS_URL) as client:
        client.delete(queue)
    for trial in trials:
        trial.refresh_from_db()
        assert (trial.differences, trial.found.count()) == (5, 5)
        assert [each.attempts for each in trial.stretches.all()] == [1]
