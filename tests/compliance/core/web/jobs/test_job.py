"""Background jobs: which state follows which, attempts, cancel and retry. Bundles stand for all jobs."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from celery import current_app
from django.db import IntegrityError, connection, transaction
from pytest_django import DjangoCaptureOnCommitCallbacks

from compliance.core.web.jobs import runner
from compliance.core.web.jobs.job import (
    MAX_ATTEMPTS,
    NEVER_FINISHED,
    TRANSITIONS,
    JobCancelled,
    JobEnded,
    JobNotEnded,
    JobState,
    begin_attempt,
    cancel_job,
    fail_job,
    require_running,
    retry_job,
)
from compliance.core.web.jobs.runner import job_progress
from compliance.transparency.ledger_pages.models import Bundle
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, open_floor

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
# What the constraints of a state require.
COLUMNS: dict[JobState, dict[str, Any]] = {
    JobState.WAITING: {},
    JobState.RUNNING: {},
    JobState.DONE: {"prepared_at": NOON, "ended_at": NOON, "log": "harbour"},
    JobState.FAILED: {"failure": "No disk.", "ended_at": NOON},
    JobState.CANCELLED: {"cancelled_by_name": "Ines", "ended_at": NOON},
}
UNSET = {"prepared_at": None, "ended_at": None, "log": "", "failure": "", "cancelled_by_name": "", "entry_index": None}


@pytest.fixture
def floor(db: None) -> Floor:
    return open_floor()


def columns(state: JobState, number: int) -> dict[str, Any]:
    entry = {"entry_index": number} if state == JobState.DONE else {}
    return UNSET | COLUMNS[state] | entry | {"state": state.value}


def a_job(floor: Floor, state: JobState = JobState.WAITING) -> Bundle:
    number = Bundle.objects.count()
    asked: dict[str, Any] = {"casino": floor.harbour, "asked_by": floor.ines, "asked_by_name": "Ines", "asked_at": NOON}
    return Bundle.objects.create(**asked, first_index=0, end_index=9, **columns(state, number))


@pytest.mark.parametrize(("before", "after"), list(product(JobState, repeat=2)))
def test_the_database_lets_states_follow_as_the_table_says(floor: Floor, before: JobState, after: JobState) -> None:
    job = a_job(floor, before)
    changes = columns(after, 0)
    assignments = ", ".join(f"{name} = %s" for name in changes)

    def update() -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE evidence_bundle SET {assignments} WHERE id = %s", [*changes.values(), job.pk])

    if after == before or after in TRANSITIONS[before]:
        update()
    else:
        with pytest.raises(IntegrityError, match=f"a job that is {before} does not become {after}"):
            update()


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"ended_at": NOON}, "evidence_bundle_ended"),
        ({"state": "failed"}, "evidence_bundle_failed_why"),
        ({"state": "cancelled"}, "evidence_bundle_cancelled_by"),
    ],
)
def test_a_state_and_its_reason_go_together(floor: Floor, changes: dict[str, Any], constraint: str) -> None:
    job = a_job(floor, JobState.RUNNING)
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Bundle.objects.filter(pk=job.pk).update(**changes)


def test_no_other_state_is_stored(floor: Floor) -> None:
    with pytest.raises(IntegrityError, match="evidence_bundle_state_known"):
        Bundle.objects.create(
            casino=floor.harbour, asked_by=floor.ines, asked_at=NOON, first_index=0, end_index=9, state="lost"
        )


def test_an_attempt_is_counted_before_it_runs_and_the_fourth_fails(floor: Floor) -> None:
    job = a_job(floor)
    assert [begin_attempt(job, NOON) for _ in range(MAX_ATTEMPTS)] == [True, True, True]
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("running", 3)
    assert not begin_attempt(job, LATER)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.failure, job.ended_at) == ("failed", 3, NEVER_FINISHED, LATER)
    assert not begin_attempt(job, LATER), "it has ended"


@pytest.mark.parametrize("state", [JobState.WAITING, JobState.RUNNING])
def test_a_job_is_cancelled_and_its_worker_notices(floor: Floor, state: JobState) -> None:
    at_work = a_job(floor, state)
    cancelled = cancel_job(Bundle.objects.get(pk=at_work.pk), by_name="Cora", now=LATER)
    assert (cancelled.state, cancelled.cancelled_by_name, cancelled.ended_at) == ("cancelled", "Cora", LATER)
    assert not begin_attempt(at_work, LATER)
    with pytest.raises(JobCancelled), transaction.atomic():
        require_running(at_work)
    with pytest.raises(JobCancelled):
        fail_job(at_work, "No disk.", LATER)
    stored = Bundle.objects.get(pk=at_work.pk)
    assert (stored.state, stored.failure, stored.attempts) == ("cancelled", "", 0)


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED, JobState.CANCELLED])
def test_what_has_ended_is_not_cancelled(floor: Floor, state: JobState) -> None:
    job = a_job(floor, state)
    with pytest.raises(JobEnded):
        cancel_job(job, by_name="Cora", now=LATER)
    job.refresh_from_db()
    assert (job.state, job.ended_at) == (state, NOON)


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.CANCELLED])
def test_what_failed_or_was_cancelled_waits_again_and_wakes_its_task(
    floor: Floor,
    state: JobState,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    job = a_job(floor, state)
    Bundle.objects.filter(pk=job.pk).update(attempts=3)
    woken: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: woken.append(name))
    with django_capture_on_commit_callbacks(execute=True):
        again = retry_job(job)
    assert woken == [Bundle.task]
    again.refresh_from_db()
    assert (again.state, again.attempts, again.failure, again.cancelled_by_name) == ("waiting", 0, "", "")
    assert again.ended_at is None
    assert begin_attempt(again, LATER)


@pytest.mark.parametrize("state", [JobState.WAITING, JobState.RUNNING, JobState.DONE])
def test_what_has_not_ended_or_is_done_is_not_tried_again(floor: Floor, state: JobState) -> None:
    with pytest.raises(JobNotEnded):
        retry_job(a_job(floor, state))


@pytest.mark.django_db(transaction=True)
def test_progress_is_saved_until_the_job_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "PROGRESS_INTERVAL", timedelta(0))
    job = a_job(open_floor(), JobState.RUNNING)
    with job_progress(job, lambda: NOON) as show:
        show(4, 9)
        job.refresh_from_db()
        assert job.done == 4
        cancel_job(job, by_name="Cora", now=LATER)
        with pytest.raises(JobCancelled):
            show(5, 9)
    job.refresh_from_db()
    assert job.done == 4
