"""/healthz runs no checks; /readyz runs all and names those that failed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from compliance.core.web import health
from compliance.core.web.health import CheckResult
from compliance.core.web.models import Heartbeat
from tests.compliance.core.web.conftest import Elements
from tests.compliance.core.web.people import mo, signed_in

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def only_own_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the checks of core.web, without those of other apps."""
    monkeypatch.setattr(health, "_checks", {})
    health.register_own_checks()


def beats(*, worker: datetime, beat: datetime) -> None:
    Heartbeat.objects.create(name="worker", seen_at=worker)
    Heartbeat.objects.create(name="beat", seen_at=beat)


def answer(client: Client, now: datetime = NOON) -> tuple[int, dict[str, dict[str, Any]]]:
    with time_machine.travel(now, tick=False):
        response = client.get("/readyz")
    return response.status_code, {check["name"]: check for check in response.json()["checks"]}


def test_alive_without_a_database(client: Client, no_database: None) -> None:
    response = client.get("/healthz")
    assert [response.status_code, response.content] == [200, b"ok\n"]


@pytest.mark.django_db
def test_ready_when_every_part_is_well(client: Client) -> None:
    beats(worker=NOON - timedelta(seconds=4), beat=NOON - timedelta(seconds=9))
    status, checks = answer(client)
    assert status == 200
    assert {name: check["ok"] for name, check in checks.items()} == dict.fromkeys(
        ("database", "redis", "worker", "beat", "disk", "e-mail"), True
    )
    assert checks["beat"]["detail"] == "Last sign of life 9 s ago."


@pytest.mark.parametrize(("seconds", "is_ok"), [(59, True), (60, True), (61, False)])
@pytest.mark.django_db
def test_a_worker_is_missed_after_a_minute(client: Client, seconds: int, is_ok: bool) -> None:
    beats(worker=NOON - timedelta(seconds=seconds), beat=NOON)
    status, checks = answer(client)
    assert checks["worker"]["ok"] is is_ok
    assert status == (200 if is_ok else 503)


@pytest.mark.django_db
def test_a_service_that_never_had_a_worker_is_not_ready(client: Client) -> None:
    status, checks = answer(client)
    assert status == 503
    assert checks["worker"] == {
        "name": "worker",
        "ok": False,
        "detail": "Has given no sign of life yet.",
        "vital": True,
    }


@pytest.mark.django_db
def test_redis_away_is_told_without_its_address(client: Client, settings: Any) -> None:
    settings.REDIS_URL = "redis://:hunter2@127.0.0.1:1/0"
    beats(worker=NOON, beat=NOON)
    status, checks = answer(client)
    assert status == 503
    assert checks["redis"]["detail"] == "The check failed: ConnectionError."


@pytest.mark.django_db
def test_a_full_disk_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "MIN_DISK_FREE_BYTES", 2**63)
    assert answer(client)[1]["disk"]["ok"] is False


@pytest.mark.django_db
def test_an_app_adds_a_check_and_one_that_raises_has_failed(client: Client) -> None:
    beats(worker=NOON, beat=NOON)
    health.register_check("audit", lambda now: CheckResult(True, f"Caught up at {now:%H:%M}."))
    assert answer(client)[1]["audit"] == {"name": "audit", "ok": True, "detail": "Caught up at 12:00.", "vital": True}
    health.register_check("audit", lambda now: 1 / 0)  # type: ignore[arg-type, return-value]
    status, checks = answer(client)
    assert status == 503
    assert checks["audit"]["detail"] == "The check failed: ZeroDivisionError."


@pytest.mark.django_db
def test_people_read_the_same_on_the_status_page(client: Client) -> None:
    now = datetime.now(UTC)
    beats(worker=now, beat=now - timedelta(hours=1))
    page = Elements(signed_in(client, mo()).get("/status/").content.decode())
    assert page.texts("th", scope="row") == ["Database", "Redis", "Worker", "Beat", "Disk", "E-mail"]
    assert page.texts("strong")[-6:] == ["Working", "Working", "Working", "Failing", "Working", "Working"]
    assert any(words.startswith("Failing:") for words in page.texts("div", role="alert"))


@pytest.mark.django_db
def test_a_check_that_is_not_vital_is_shown_but_takes_nothing_out_of_service(client: Client) -> None:
    beats(worker=NOON, beat=NOON)
    health.register_check("witness", lambda now: CheckResult(False, "Behind."), is_vital=False)
    status, checks = answer(client)
    assert status == 200
    assert checks["witness"] == {"name": "witness", "ok": False, "detail": "Behind.", "vital": False}
    health.register_check("witness", lambda now: CheckResult(False, "Behind."))
    assert answer(client)[0] == 503
