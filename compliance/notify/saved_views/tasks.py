"""Celery task of subscriptions. The state is in PostgreSQL, so a lost or repeated message does no harm."""

from celery import shared_task
from django.utils import timezone

from compliance.notify.saved_views.subscriptions.emails import delete_ended_subscriptions
from compliance.notify.saved_views.subscriptions.new_rows import check_due_subscriptions


@shared_task(name="compliance.notify.saved_views.tasks.find_new_rows")
def find_new_rows() -> None:
    check_due_subscriptions(timezone.now)
    delete_ended_subscriptions(timezone.now())
