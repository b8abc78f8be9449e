"""The trial task. Idempotent: waiting trials are in the database, so a lost or repeated message does no harm."""

from celery import shared_task

from compliance.analysis.what_if.models import Trial
from compliance.analysis.what_if.run.worker import run_waiting_trials
from compliance.core.web.jobs.runner import run_for_a_while


@shared_task(name=Trial.task)
def run_trials() -> None:
    run_for_a_while(Trial.task, run_waiting_trials)
