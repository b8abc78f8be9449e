"""The bells of evidence. PostgreSQL remembers what is to be done: a lost ring or a second one changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.evidence.preparing import prepare_waiting, remove_old
from compliance.evidence.services import PREPARE


@shared_task(name=PREPARE)
def prepare_bundles() -> None:
    prepare_waiting(timezone.now)


@shared_task(name="compliance.evidence.tasks.remove_old_bundles")
def remove_old_bundles() -> None:
    remove_old(timezone.now())
