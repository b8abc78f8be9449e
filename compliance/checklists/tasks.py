"""The bell of draws. PostgreSQL remembers what is to be drawn: a lost ring or a second one changes nothing."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from compliance.checklists.services.drawing import DRAW, draw_waiting
from compliance.web.bell import ring

# Short, because what keeps up with the floor waits in the same queue; what is left over is rung for again.
SECONDS_AT_A_TIME = 10


@shared_task(name=DRAW)
def draw_samples() -> None:
    deadline = monotonic() + SECONDS_AT_A_TIME
    if draw_waiting(timezone.now, lambda: monotonic() > deadline):
        ring(DRAW)
