"""Celery tasks: reminders of overdue disputes, and deletion of old drafts."""

from celery import shared_task
from django.utils import timezone

from compliance.disputes.models import DisputeDraft
from compliance.disputes.selectors import DRAFT_LIFETIME
from compliance.disputes.services.reminders import remind_of_overdue, remind_of_requests


@shared_task(name="compliance.disputes.tasks.send_reminders")
def send_reminders() -> None:
    now = timezone.now()
    remind_of_overdue(now=now)
    remind_of_requests(now=now)


@shared_task(name="compliance.disputes.tasks.delete_old_drafts")
def delete_old_drafts() -> None:
    """Deletes old drafts: they may hold a patron's details, and a dispute is logged the day it is raised."""
    DisputeDraft.objects.filter(saved_at__lt=timezone.now() - DRAFT_LIFETIME).delete()
