"""Moving notices on: everything follows from stored instants, so a ring that is late or doubled changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.notices.services import advance_notices
from compliance.notices.services.notices import ADVANCE


@shared_task(name=ADVANCE)
def advance() -> None:
    advance_notices(now=timezone.now())
