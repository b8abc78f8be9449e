"""The bell of trials. PostgreSQL remembers what is to be tried: a lost ring or a second one changes nothing."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from compliance.analysis.what_if.run.worker import run_waiting_trials
from compliance.analysis.what_if.services import TRIAL_TASK
from compliance.core.web.jobs.wake import wake

# Short, because what keeps up with the floor waits in the same queue; what is left over is rung for again.
MAX_SECONDS = 10


@shared_task(name=TRIAL_TASK)
def try_rules() -> None:
    deadline = monotonic() + MAX_SECONDS
    if run_waiting_trials(timezone.now, lambda: monotonic() > deadline):
        wake(TRIAL_TASK)
