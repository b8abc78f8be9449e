"""The trial task. Idempotent: waiting trials are in the database, so a lost or repeated message does no harm."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from compliance.analysis.what_if.run.worker import run_waiting_trials
from compliance.analysis.what_if.services import TRIAL_TASK
from compliance.core.web.jobs.wake import wake

# Short, because the tasks that keep up with the floor share the queue. The task wakes itself for the rest.
MAX_SECONDS = 10


@shared_task(name=TRIAL_TASK)
def run_trials() -> None:
    deadline = monotonic() + MAX_SECONDS
    if run_waiting_trials(timezone.now, lambda: monotonic() > deadline):
        wake(TRIAL_TASK)
