"""The bell of draws for real: a worker process of its own and the real queue."""

import os
from pathlib import Path

import redis
from django.conf import settings as project
from pytest_django import Settings

from compliance.checklists.models import Draw, Drawing
from compliance.checklists.services.drawing import DRAW
from compliance.config.celery import app
from rounds.ledger.checkpoints import make_key
from tests.compliance.checklists.desk import Desk
from tests.compliance.checklists.test_drawing import seed
from tests.compliance.checklists.test_weighted_samples import by_hand, play_mixed
from tests.compliance.evidence.test_by_the_queue import a_worker, wait_until


def test_a_worker_draws_what_waits_once_however_often_it_rings(
    committed_desk: Desk, settings: Settings, tmp_path: Path
) -> None:
    settings.LEDGER_KEY_FILE, settings.EVIDENCE_DIR = tmp_path / "keys" / "ledger.key", tmp_path / "evidence"
    make_key(settings.LEDGER_KEY_FILE)
    play_mixed(committed_desk)
    samples, queue, log = [seed(committed_desk) for _ in range(2)], f"draws-{os.getpid()}", tmp_path / "worker.log"
    with a_worker(queue, log) as worker:
        for _ in range(3):
            app.send_task(DRAW, queue=queue)
        wait_until(lambda: Draw.objects.count() == 2, worker, log)
    with redis.Redis.from_url(project.REDIS_URL) as client:
        client.delete(queue)
    assert [sample.draw.rounds for sample in samples] == [by_hand(sample.seed, 5)[0] for sample in samples]
    assert set(Drawing.objects.values_list("attempts", "failure")) == {(1, "")}
