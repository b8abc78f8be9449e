"""The trial task with a real Celery worker process and queue."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis
from django.conf import settings as project
from django.db import connection
from psycopg import sql
from pytest_django import Settings

from compliance.analysis.what_if.models import Trial, TrialDifference
from compliance.analysis.what_if.services import cancel_trial
from compliance.config.celery import app
from compliance.core.web.jobs.job import JobState
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.analysis.what_if.trial_setup import TrialSetup, played_bench
from tests.compliance.audit.house import NOW
from tests.compliance.transparency.ledger_pages.test_celery_worker import a_worker, wait_until
from tests.conftest import superuser

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
TRYING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"


@pytest.fixture
def queue() -> Iterator[str]:
    name = f"trials-{os.getpid()}"
    yield name
    with redis.Redis.from_url(project.REDIS_URL) as client:
        client.delete(name)


@pytest.fixture
def bench(transactional_db: None, settings: Settings, tmp_path: Path) -> TrialSetup:
    settings.LEDGER_KEY_FILE, settings.EVIDENCE_DIR = tmp_path / "keys" / "ledger.key", tmp_path / "evidence"
    create_key_file(settings.LEDGER_KEY_FILE)
    return played_bench()


@pytest.fixture
def admin(bench: TrialSetup) -> Iterator[psycopg.Connection]:
    with superuser(connection.settings_dict["NAME"]) as admin:
        yield admin


@contextmanager
def held_up(admin: psycopg.Connection, table: str) -> Iterator[None]:
    """Locks this table, so that every worker that uses it blocks."""
    with admin.transaction():
        admin.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
        yield


def counted(admin: psycopg.Connection, statement: str, *values: str) -> int:
    row = admin.execute(statement, values).fetchone()
    assert row is not None
    return int(row[0])


def is_done(trial: Trial) -> bool:
    return Trial.objects.filter(pk=trial.pk, state=JobState.DONE).exists()


def test_a_worker_tries_what_waits_once_however_often_it_rings(bench: TrialSetup, queue: str, tmp_path: Path) -> None:
    log, trials = tmp_path / "worker.log", [bench.ask(), bench.ask()]
    with a_worker(queue, log) as worker:
        for _ in range(3):
            app.send_task(Trial.task, queue=queue)
        wait_until(lambda: Trial.objects.filter(state=JobState.DONE).count() == 2, worker, log)
    for trial in trials:
        trial.refresh_from_db()
        assert (trial.differences, trial.found.count(), trial.attempts) == (5, 5, 0)


def test_what_a_killed_worker_left_is_taken_up_by_the_next(
    bench: TrialSetup, queue: str, tmp_path: Path, admin: psycopg.Connection
) -> None:
    """Killed while it writes its differences: none of them is stored, and nothing is counted twice afterwards."""
    log, trial = tmp_path / "worker.log", bench.ask()
    with a_worker(queue, log) as worker, held_up(admin, "trials_difference"):
        app.send_task(Trial.task, queue=queue)
        wait_until(lambda: counted(admin, WAITING, "trials_difference"), worker, log)
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    with a_worker(queue, log) as worker:
        wait_until(lambda: counted(admin, TRYING) == 0, worker, log)
        assert not TrialDifference.objects.exists()
        assert Trial.objects.filter(pk=trial.pk, state=JobState.RUNNING, attempts=1).exists()
        app.send_task(Trial.task, queue=queue)
        wait_until(lambda: is_done(trial), worker, log)
    trial.refresh_from_db()
    assert (trial.differences, trial.found.count()) == (5, 5)


def test_what_is_cancelled_under_a_worker_s_hands_leaves_nothing_and_the_next_is_tried(
    bench: TrialSetup, queue: str, tmp_path: Path, admin: psycopg.Connection
) -> None:
    log, cancelled = tmp_path / "worker.log", bench.ask()
    with a_worker(queue, log) as worker:
        with held_up(admin, "audit_voidedround"):
            app.send_task(Trial.task, queue=queue)
            wait_until(lambda: counted(admin, WAITING, "audit_voidedround"), worker, log)
            cancel_trial(trial=cancelled, actor=bench.olga, now=NOW)
            following = bench.ask()
        wait_until(lambda: is_done(following), worker, log)
    cancelled.refresh_from_db()
    assert (cancelled.state, cancelled.found.count(), cancelled.stretches.count()) == (JobState.CANCELLED, 0, 0)
    assert TrialDifference.objects.count() == following.found.count() == 5
