"""Workers share the audit without overlap, and one killed in the middle of a block leaves no trace."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
import redis
from celery import Celery
from django.conf import settings as project
from django.db import connection, transaction

from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.models import BLOCK_ENTRIES, Block, Coverage, Finding
from compliance.audit.run.evaluate import evaluate_every_round
from compliance.audit.run.record_findings import result_sha256
from compliance.audit.run.worker import audit_log
from compliance.audit.selectors import audited_up_to
from compliance.audit.tasks import AUDIT_TASK, audit
from compliance.config.environment import PROJECT
from compliance.core.accounts.models import Casino
from rounds.intake.protocol.envelope import encode_line
from rounds.ledger.writing.append import NewEntry, append
from tests.compliance.audit.conftest import committed_crew, committed_house, quick_passwords
from tests.compliance.audit.house import CONTROLLER, NOW, House
from tests.compliance.audit.round_builders import NSW, at, build_round, wager

__all__ = ["committed_crew", "committed_house", "quick_passwords"]

WORKERS, BLOCKS = 4, 3
PATIENCE_SECONDS = 120


@pytest.fixture
def busy_house(committed_house: House) -> House:
    """A table with several blocks of rounds, one in a hundred of them settled wrongly."""
    committed_house.open_table()
    rounds = BLOCKS * BLOCK_ENTRIES - 100
    entries = []
    for number in range(1, rounds + 1):
        paid = 5_100 if number % 100 == 0 else 5_000
        body = build_round(NSW, (4, 2, 4), wager("small", 2_500, paid), round=f"r-{number}")
        line = encode_line(kind="round", table="sb-1", sequence=number, at=at(90), body=body)
        entries.append(NewEntry(kind="round", body=line, table="sb-1", controller=CONTROLLER, sequence=number))
    with transaction.atomic():
        append("harbour", entries, NOW)
    committed_house.go_on_from("sb-1", rounds + 1)
    return committed_house


def result() -> tuple[list[tuple[int, int]], list[tuple[int, str, str]]]:
    """Coverage in order and findings: the same whichever worker did it. That all rounds are played at the same time,
    some under the same name, does not matter here."""
    covered = Coverage.objects.filter(log="harbour").order_by("first").values_list("first", "last")
    played = Finding.objects.exclude(code__startswith="FEED-ROUND-")
    found = played.order_by("subject_index", "wager").values_list("subject_index", "wager", "sentence")
    return list(covered), list(found)


def assert_everything_is_covered_once(late: int = 0) -> None:
    covered, found = result()
    assert not Block.objects.waiting().exists()
    assert covered[0][0] == 0
    assert [last for _, last in covered[:-1]] == [first for first, _ in covered[1:]]
    assert len(found) == (BLOCKS * BLOCK_ENTRIES - 100) // 100 + late


def work(casino_id: int) -> None:
    connection.close()
    for _ in audit_log(Casino.objects.get(pk=casino_id)):
        pass
    connection.close()


def test_workers_side_by_side_cover_everything_once(busy_house: House) -> None:
    connection.close()
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=work, args=(busy_house.casino.pk,)) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE_SECONDS)
    assert [worker.exitcode for worker in workers] == [0] * WORKERS
    # A worker that found the log locked by another had nothing to do yet; beat wakes it again.
    busy_house.audit()
    assert_everything_is_covered_once()


def test_whatever_is_lost_or_doubled_the_audit_comes_to_the_same(busy_house: House) -> None:
    """A worker dies in mid-block, Redis forgets everything, nobody rings for a while, and then a ring comes thrice."""
    with celery_worker() as (worker, bell):
        with transaction.atomic():
            # The worker gets as far as recording its block, and waits there for the log's lock.
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM ledger_head FOR UPDATE")
            bell.send_task(AUDIT_TASK)
            wait_until_somebody_waits_for_the_log()
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
        assert result() == ([], [])
    with redis.Redis.from_url(OWN_REDIS) as memory:
        assert memory.dbsize()
        memory.flushdb()
    with celery_worker() as (_, bell):
        # The log grows while beat is stopped.
        index = busy_house.play((4, 2, 4), wager("small", 2_500, 5_100))
        for _ in range(3):
            bell.send_task(AUDIT_TASK)
        wait_until(lambda: not Block.objects.waiting().exists() and (audited_up_to("harbour") or 0) > index)
    with redis.Redis.from_url(OWN_REDIS) as memory:
        memory.flushdb()
    audit()
    assert_everything_is_covered_once(late=1)
    assert_as_if_judged_in_peace()


def assert_as_if_judged_in_peace() -> None:
    """Equal byte for byte to the result of an undisturbed audit that checks every round exactly."""
    casino = Casino.objects.get(slug="harbour")
    drafts: list[FindingDraft] = []
    for coverage in Coverage.objects.filter(log="harbour").order_by("first"):
        judged = evaluate_every_round(casino, coverage.first, coverage.last)
        assert result_sha256(judged) == coverage.result_sha256
        drafts += judged.drafts
    said = [(one.index, one.wager, one.code, one.sentence, list(one.evidence), list(one.explanation)) for one in drafts]
    kept = Finding.objects.order_by("subject_index", "wager", "code").values_list(
        "subject_index", "wager", "code", "sentence", "evidence", "explanation"
    )
    assert json.dumps(sorted(said)) == json.dumps(list(kept))


# A Redis database of its own, so that it can be flushed.
OWN_REDIS = urlsplit(project.REDIS_URL)._replace(path="/9").geturl()


@contextmanager
def celery_worker() -> Iterator[tuple[subprocess.Popen[bytes], Celery]]:
    """A real worker on this test's database, with its own queue."""
    queue = f"audit-{os.getpid()}"
    address = urlsplit(os.environ["DATABASE_URL"])._replace(path="/" + connection.settings_dict["NAME"]).geturl()
    bell = Celery("audit-test", broker=OWN_REDIS, set_as_current=False)
    bell.conf.task_default_queue = queue
    command = [sys.executable, "-m", "celery", "-A", "compliance.config.celery", "worker", "-P", "solo", "-Q", queue]
    environment = {**os.environ, "DATABASE_URL": address, "REDIS_URL": OWN_REDIS}
    worker = subprocess.Popen(command, cwd=PROJECT, env=environment)
    try:
        yield worker, bell
    finally:
        worker.kill()
        worker.wait()
        bell.close()


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until, "the worker never came to its end"
        time.sleep(0.1)


def wait_until_somebody_waits_for_the_log() -> None:
    wait_until_so_many_wait(1)


def wait_until_so_many_wait(count: int) -> None:
    wait_until(lambda: count_waiting() == count)


def count_waiting() -> int:
    """Not from pg_stat_activity, which is frozen within a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        [count] = cursor.fetchone() or [0]
    return int(count)
