"""The bell of trials. PostgreSQL remembers what is to be tried: a lost ring or a second one changes nothing."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from compliance.trials.services import TRY
from compliance.trials.trying import try_waiting
from compliance.web.bell import ring

# Short, because what keeps up with the floor waits in the same queue; what is left over is rung for again.
SECONDS_AT_A_TIME = 10


@shared_task(name=TRY)
def try_rules() -> None:
    deadline = monotonic() + SECONDS_AT_A_TIME
    if try_waiting(timezone.now, lambda: monotonic() > deadline):
        ring(TRY)
