"""Periodic task that advances notices. Idempotent: the result depends on stored times only, so a late or repeated run
changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.tables.limit_notices.services import advance_notices
from compliance.tables.limit_notices.services.notices import ADVANCE_TASK


@shared_task(name=ADVANCE_TASK)
def advance_due_notices() -> None:
    advance_notices(now=timezone.now())
