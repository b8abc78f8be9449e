"""The draw task with a real worker process and queue."""

import os
from pathlib import Path

import redis
from django.conf import settings as project
from pytest_django import Settings

from compliance.config.celery import app
from compliance.inspection.checklists.models import Draw, DrawJob
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.inspection.checklists.test_draws import seed
from tests.compliance.inspection.checklists.test_weighted_samples import by_hand, play_mixed
from tests.compliance.transparency.ledger_pages.test_celery_worker import a_worker, wait_until


def test_a_worker_draws_what_waits_once_however_often_it_rings(
    committed_desk: ChecklistScenario, settings: Settings, tmp_path: Path
) -> None:
    settings.LEDGER_KEY_FILE, settings.EVIDENCE_DIR = tmp_path / "keys" / "ledger.key", tmp_path / "evidence"
    create_key_file(settings.LEDGER_KEY_FILE)
    play_mixed(committed_desk)
    samples, queue, log = [seed(committed_desk) for _ in range(2)], f"draws-{os.getpid()}", tmp_path / "worker.log"
    with a_worker(queue, log) as worker:
        for _ in range(3):
            app.send_task(DrawJob.task, queue=queue)
        wait_until(lambda: Draw.objects.count() == 2, worker, log)
    with redis.Redis.from_url(project.REDIS_URL) as client:
        client.delete(queue)
    assert [sample.draw.rounds for sample in samples] == [by_hand(sample.seed, 5)[0] for sample in samples]
    assert set(DrawJob.objects.values_list("state", "attempts")) == {("done", 1)}
