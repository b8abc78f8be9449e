"""Following what is recorded of equipment. A ring that is lost or doubled changes nothing: the cursor remembers."""

from celery import shared_task
from django.utils import timezone

from compliance.equipment import following


@shared_task(name=following.FOLLOW)
def follow_equipment() -> None:
    following.follow_equipment(timezone.now)
