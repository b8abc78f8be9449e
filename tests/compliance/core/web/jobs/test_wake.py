"""wake(): publishes after commit, with request id and publish time, and never fails its caller."""

import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis
import structlog
import time_machine
from celery import Celery, current_app
from celery.contrib.testing.worker import start_worker
from django.conf import settings as project
from django.db import transaction
from django.utils import timezone

from compliance.core.web.jobs import wake
from compliance.core.web.models import Heartbeat
from compliance.core.web.tasks import record_heartbeat

QUEUE = f"bells-{os.getpid()}"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def current(broker: str) -> Iterator[Celery]:
    """A Celery application with its own queue, in place of the service's during the test."""
    usual = current_app._get_current_object()  # type: ignore[attr-defined]
    app = Celery("bells", broker=broker, set_as_current=False)
    app.conf.task_default_queue = QUEUE
    app.set_current()
    yield app
    usual.set_current()
    # A test worker makes its application the default of every other thread as well.
    usual.set_default()
    app.close()


@pytest.fixture
def bells() -> Iterator[Celery]:
    yield from current(project.REDIS_URL)
    with redis.Redis.from_url(project.REDIS_URL) as client:
        client.delete(QUEUE)


@pytest.fixture
def dead_bells() -> Iterator[Celery]:
    yield from current("redis://127.0.0.1:1/0")


def messages() -> list[dict[str, Any]]:
    """The messages waiting in the broker."""
    with redis.Redis.from_url(project.REDIS_URL) as client:
        found: Any = client.lrange(QUEUE, 0, -1)
    return [json.loads(message) for message in found]


@pytest.mark.django_db(transaction=True)
def test_a_bell_rings_only_once_the_transaction_has_committed(bells: Celery) -> None:
    with transaction.atomic():
        wake.wake(record_heartbeat.name)
        assert messages() == []
    assert [message["headers"]["task"] for message in messages()] == ["compliance.core.web.tasks.record_heartbeat"]


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_fails_rings_nothing(bells: Celery) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        wake.wake(record_heartbeat.name)
        raise ZeroDivisionError
    assert messages() == []


@pytest.mark.django_db(transaction=True)
def test_a_bell_that_nobody_hears_is_dropped_and_a_message_is_not(bells: Celery) -> None:
    with time_machine.travel(NOON, tick=False):
        wake.wake(record_heartbeat.name)
        wake.wake("compliance.core.accounts.tasks.send_password_reset", user_id=7)
    expiry = {message["headers"]["task"]: message["headers"]["expires"] for message in messages()}
    assert expiry == {
        "compliance.core.web.tasks.record_heartbeat": "2026-11-16T12:00:30+00:00",
        "compliance.core.accounts.tasks.send_password_reset": None,
    }


@pytest.mark.django_db(transaction=True)
def test_a_message_says_when_it_was_published_and_for_which_request(bells: Celery) -> None:
    with structlog.contextvars.bound_contextvars(request_id="5f0c"), time_machine.travel(NOON, tick=False):
        wake.wake(record_heartbeat.name)
    (message,) = messages()
    assert message["headers"]["published_at"] == "2026-11-16T12:00:00+00:00"
    assert message["headers"]["__django_structlog__"]["request_id"] == "5f0c"


@pytest.mark.django_db(transaction=True)
def test_with_redis_away_the_caller_goes_on_and_the_log_says_so(dead_bells: Celery) -> None:
    began = time.monotonic()
    with structlog.testing.capture_logs() as logs, transaction.atomic():
        wake.wake(record_heartbeat.name)
    assert [entry["event"] for entry in logs if entry["log_level"] == "warning"] == ["bell_not_rung"]
    assert time.monotonic() - began < 3


@pytest.mark.django_db(transaction=True)
def test_a_real_worker_writes_the_pulse_of_itself_and_of_whoever_rang(bells: Celery) -> None:
    """Published by a clock that is ahead:
    beat is recorded with that time, and is still fresh however slowly the worker starts."""
    rang_at = timezone.now() + timedelta(minutes=5)
    with time_machine.travel(rang_at, tick=False):
        wake.wake(record_heartbeat.name)
    with start_worker(bells, perform_ping_check=False, pool="solo", shutdown_timeout=20):
        until = timezone.now() + timedelta(seconds=20)
        while Heartbeat.objects.count() < 2 and timezone.now() < until:
            pass
    seen = dict(Heartbeat.objects.values_list("name", "seen_at"))
    assert abs(seen["beat"] - rang_at) < timedelta(milliseconds=1)
    assert timezone.now() - seen["worker"] < timedelta(seconds=30)
