"""Periodic task that runs draw jobs. Idempotent: the database holds the jobs, so a lost or repeated message changes
nothing."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from compliance.core.web.jobs.wake import wake
from compliance.inspection.checklists.services.draws import DRAW_TASK, run_waiting_draws

# Short, because the consumers of the log share the queue. The task wakes itself for the rest.
MAX_SECONDS_PER_RUN = 10


@shared_task(name=DRAW_TASK)
def draw_samples() -> None:
    deadline = monotonic() + MAX_SECONDS_PER_RUN
    if run_waiting_draws(timezone.now, lambda: monotonic() > deadline):
        wake(DRAW_TASK)
