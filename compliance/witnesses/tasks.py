"""The bell of witnesses: a lost ring or a second one changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.witnesses.services import tell_of_the_silent


@shared_task(name="compliance.witnesses.tasks.watch_witnesses")
def watch_witnesses() -> None:
    tell_of_the_silent(timezone.now())
