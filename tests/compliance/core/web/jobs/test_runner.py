"""The runner of background jobs: one worker at a time, cancelled jobs dropped, progress seen from elsewhere."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from compliance.core.web.jobs import runner
from compliance.core.web.jobs.job import JobCancelled
from compliance.core.web.jobs.locks import Lock
from compliance.core.web.jobs.runner import progress_writer, run_each, run_in_steps
from compliance.core.web.models import OutgoingEmail, OutgoingEmailQuerySet
from tests.conftest import superuser, unlock_all

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
LOCK = Lock.TRIAL


@pytest.fixture
def waiting(db: None) -> OutgoingEmailQuerySet:
    """Three rows that stand for jobs."""
    for number in range(3):
        OutgoingEmail.objects.create(
            purpose="test", to="ines@example.com", reference={"number": number}, created_at=NOON, next_try_at=NOON
        )
    return OutgoingEmail.objects.filter(state="waiting").order_by("pk")


def number_of(row: OutgoingEmail) -> int:
    return int(row.reference["number"])


def test_a_job_that_another_worker_has_locked_is_left_to_it(waiting: OutgoingEmailQuerySet) -> None:
    ran: list[int] = []
    locked = waiting[1].pk
    with superuser(connection.settings_dict["NAME"]) as other:
        other.execute("SELECT pg_advisory_lock(%s, %s)", [LOCK, locked])
        assert run_each(waiting, LOCK, lambda row: ran.append(number_of(row))) == 2
        assert ran == [0, 2]
        unlock_all(other)
    assert run_each(waiting, LOCK, lambda row: ran.append(number_of(row))) == 3


def test_a_job_that_was_finished_meanwhile_is_not_run_again(waiting: OutgoingEmailQuerySet) -> None:
    ran: list[int] = []

    def run(row: OutgoingEmail) -> None:
        ran.append(number_of(row))
        OutgoingEmail.objects.update(state="given-up")

    assert run_each(waiting, LOCK, run) == 1
    assert ran == [0]


def test_after_a_cancelled_job_the_next_one_runs(waiting: OutgoingEmailQuerySet) -> None:
    ran: list[int] = []

    def run(row: OutgoingEmail) -> None:
        ran.append(number_of(row))
        if number_of(row) == 0:
            raise JobCancelled

    run_each(waiting, LOCK, run)
    assert ran == [0, 1, 2]


def test_a_job_that_fails_releases_its_lock(waiting: OutgoingEmailQuerySet) -> None:
    with pytest.raises(ZeroDivisionError):
        run_each(waiting, LOCK, lambda row: 1 // 0)  # type: ignore[arg-type]
    with superuser(connection.settings_dict["NAME"]) as other:
        assert other.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK, waiting[0].pk]).fetchone() == (True,)


def test_steps_run_one_job_after_the_other_until_the_time_is_up(waiting: OutgoingEmailQuerySet) -> None:
    steps: list[int] = []

    def begin(row: OutgoingEmail) -> object:
        def step() -> bool:
            steps.append(number_of(row))
            is_over = steps.count(number_of(row)) == 2
            if is_over:
                OutgoingEmail.objects.filter(pk=row.pk).update(state="given-up")
            return not is_over

        return step

    assert run_in_steps(waiting, LOCK, begin, lambda: len(steps) == 3)  # type: ignore[arg-type]
    assert steps == [0, 0, 1]
    with superuser(connection.settings_dict["NAME"]) as other:
        other.execute("SELECT pg_advisory_lock(%s, 0)", [LOCK])
        assert not run_in_steps(waiting, LOCK, begin, lambda: False)  # type: ignore[arg-type]
        assert steps == [0, 0, 1], "one worker at a time"
        unlock_all(other)
    assert not run_in_steps(waiting, LOCK, begin, lambda: False)  # type: ignore[arg-type]
    assert steps == [0, 0, 1, 1, 2, 2]


def test_what_is_left_wakes_the_task_again(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[str] = []
    monkeypatch.setattr(runner, "wake", woken.append)
    runner.run_for_a_while("a.task", lambda clock, is_time_up: is_time_up())
    assert woken == []
    monkeypatch.setattr(runner, "STEP_SECONDS", -1)
    runner.run_for_a_while("a.task", lambda clock, is_time_up: is_time_up())
    assert woken == ["a.task"]


@pytest.mark.django_db(transaction=True)
def test_progress_is_seen_from_elsewhere_at_most_once_a_second(waiting: OutgoingEmailQuerySet) -> None:
    row = waiting[0]
    seconds = iter((0, 0.9, 1, 1.9, 2))
    statement = "UPDATE web_outgoingemail SET attempts = %s WHERE id = %s"
    seen = []
    with (
        superuser(connection.settings_dict["NAME"]) as other,
        progress_writer(
            lambda: NOON + timedelta(seconds=next(seconds)), statement, lambda done, total, now: [done, row.pk]
        ) as show,
    ):
        for done in (1, 2, 3, 4, 5):
            show(done, 5)
            seen += other.execute("SELECT attempts FROM web_outgoingemail WHERE id = %s", [row.pk]).fetchall()
    assert [done for (done,) in seen] == [1, 1, 3, 3, 5]
