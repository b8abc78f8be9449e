"""Periodic task that runs draw jobs. Idempotent: the database holds the jobs, so a lost or repeated message changes
nothing."""

from celery import shared_task

from compliance.core.web.jobs.runner import run_for_a_while
from compliance.inspection.checklists.models import DrawJob
from compliance.inspection.checklists.services.draws import run_waiting_draws


@shared_task(name=DrawJob.task)
def draw_samples() -> None:
    run_for_a_while(DrawJob.task, run_waiting_draws)
