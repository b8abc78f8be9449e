"""The bell of draws. PostgreSQL remembers what is to be drawn: a lost ring or a second one changes nothing."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from compliance.core.web.jobs.wake import wake
from compliance.inspection.checklists.services.draws import DRAW_TASK, run_waiting_draws

# Short, because what keeps up with the floor waits in the same queue; what is left over is rung for again.
MAX_SECONDS_PER_RUN = 10


@shared_task(name=DRAW_TASK)
def draw_samples() -> None:
    deadline = monotonic() + MAX_SECONDS_PER_RUN
    if run_waiting_draws(timezone.now, lambda: monotonic() > deadline):
        wake(DRAW_TASK)
