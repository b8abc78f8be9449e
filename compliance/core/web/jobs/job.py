"""Abstract model of a background job: states, attempts, cancel, retry. A database trigger enforces the transitions
(migration web.0004)."""

from datetime import datetime
from typing import Any, ClassVar, TypeVar

import structlog
from django.db import models, transaction
from django.db.models import Q

from compliance.core.web.errors import Refusal
from compliance.core.web.jobs.wake import wake
from compliance.core.web.ui.components import Tag, TagKind

logger = structlog.get_logger(__name__)

MAX_ATTEMPTS = 3
NEVER_FINISHED = "It was begun three times and never finished."


class JobState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    RUNNING = "running", "In progress"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


# A job whose worker was killed stays RUNNING and is taken up again.
TRANSITIONS: dict[JobState, frozenset[JobState]] = {
    JobState.WAITING: frozenset({JobState.RUNNING, JobState.CANCELLED}),
    JobState.RUNNING: frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED}),
    JobState.DONE: frozenset(),
    JobState.FAILED: frozenset({JobState.WAITING}),
    JobState.CANCELLED: frozenset({JobState.WAITING}),
}
UNFINISHED = frozenset({JobState.WAITING, JobState.RUNNING})
STATE_TAGS: dict[str, TagKind] = {"waiting": "info", "running": "info", "done": "success", "failed": "danger"}


class JobEnded(Refusal):
    code, status = "job-ended", 409
    title = "It has ended already"
    remedy = "Load the page again to see how it ended."


class JobNotEnded(Refusal):
    code, status = "job-not-ended", 409
    title = "It cannot be tried again"
    detail = "Only a job that failed or was cancelled can be tried again."
    remedy = "Load the page again to see how far it is."


class JobCancelled(Exception):
    """Raised in a worker whose job was cancelled; the runner goes on with the next one."""


class Job(models.Model):
    """Work that a person or a schedule requests and a worker does. What was requested never changes; `state` and
    progress change until it is done. Subclasses have `done` and `total`, in units of their own, for the progress."""

    state = models.CharField(max_length=12, choices=JobState.choices, default=JobState.WAITING)
    # Of the current step: a job that works in steps sets it to 0 after each.
    attempts = models.PositiveSmallIntegerField(default=0)
    failure = models.TextField(default="", blank=True)
    cancelled_by_name = models.CharField(max_length=120, default="", blank=True)
    # Null for jobs that ended before this was recorded.
    ended_at = models.DateTimeField(null=True, blank=True)

    # Name of the Celery task that runs the waiting jobs.
    task: ClassVar[str]

    class Meta:
        abstract = True
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="%(app_label)s_%(class)s_state_known"),
            models.CheckConstraint(
                condition=Q(ended_at=None) | ~Q(state__in=["waiting", "running"]), name="%(app_label)s_%(class)s_ended"
            ),
            models.CheckConstraint(condition=~Q(failure="", state="failed"), name="%(app_label)s_%(class)s_failed_why"),
            models.CheckConstraint(
                condition=~Q(cancelled_by_name="", state="cancelled"), name="%(app_label)s_%(class)s_cancelled_by"
            ),
        ]

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED

    @property
    def is_done(self) -> bool:
        return self.state == JobState.DONE

    @property
    def can_be_cancelled(self) -> bool:
        return self.is_unfinished

    @property
    def can_be_retried(self) -> bool:
        return JobState.WAITING in TRANSITIONS[JobState(self.state)]

    @property
    def cancelled_text(self) -> str:
        return f"{self.cancelled_by_name} cancelled it before it was done."

    @property
    def tag(self) -> Tag:
        return Tag(str(JobState(self.state).label), STATE_TAGS.get(self.state, "neutral"))

    def delete_results(self) -> None:
        """Deletes what was made so far, in the transaction in which the job fails or is cancelled."""


AnyJob = TypeVar("AnyJob", bound=Job)


def lock_job(job: AnyJob) -> AnyJob:
    """The stored row, locked until the transaction ends."""
    rows: Any = type(job)._default_manager
    locked: AnyJob = rows.select_for_update(no_key=True, of=("self",)).get(pk=job.pk)
    return locked


@transaction.atomic
def begin_attempt(job: Job, now: datetime, never_finished: str = NEVER_FINISHED) -> bool:
    """Counts an attempt before the work, so that one which kills its worker counts as well; after MAX_ATTEMPTS the job
    fails. Returns whether to work: not if the job has ended meanwhile."""
    stored = lock_job(job)
    if not stored.is_unfinished:
        return False
    is_allowed = stored.attempts < MAX_ATTEMPTS
    job.state, job.attempts = JobState.RUNNING, stored.attempts + is_allowed
    job.save(update_fields=["state", "attempts"])
    if not is_allowed:
        fail_job(job, never_finished, now)
    return is_allowed


def require_running(job: Job) -> None:
    """Locks the row until the transaction ends; a cancelled job is neither recorded nor saved."""
    if lock_job(job).state != JobState.RUNNING:
        raise JobCancelled


@transaction.atomic
def fail_job(job: Job, failure: str, now: datetime) -> None:
    require_running(job)
    job.state, job.failure, job.ended_at = JobState.FAILED, failure, now
    job.save(update_fields=["state", "failure", "ended_at"])
    job.delete_results()
    logger.error("job_failed", job=str(job), failure=failure)


@transaction.atomic
def cancel_job(job: AnyJob, *, by_name: str, now: datetime) -> AnyJob:
    """The caller has checked the permission. A worker notices at its next step and drops what it has made."""
    stored = lock_job(job)
    if not stored.can_be_cancelled:
        raise JobEnded
    stored.state, stored.cancelled_by_name, stored.ended_at = JobState.CANCELLED, by_name, now
    stored.save(update_fields=["state", "cancelled_by_name", "ended_at"])
    stored.delete_results()
    return stored


@transaction.atomic
def retry_job(job: AnyJob) -> AnyJob:
    """Puts a failed or cancelled job back into the queue. The caller has checked the permission."""
    stored = lock_job(job)
    if not stored.can_be_retried:
        raise JobNotEnded
    stored.state, stored.attempts, stored.failure = JobState.WAITING, 0, ""
    stored.cancelled_by_name, stored.ended_at = "", None
    stored.save(update_fields=["state", "attempts", "failure", "cancelled_by_name", "ended_at"])
    wake(stored.task)
    return stored
