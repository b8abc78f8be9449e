"""Celery task of subscriptions. The state is in PostgreSQL, so a lost or repeated message does no harm."""

from celery import shared_task
from django.utils import timezone

from compliance.notify.saved_views.subscriptions.emails import delete_old_messages, send_due_emails
from compliance.notify.saved_views.subscriptions.new_rows import find_new_rows


@shared_task(name="compliance.notify.saved_views.tasks.send_new_rows_emails")
def send_new_rows_emails() -> None:
    find_new_rows(timezone.now)
    send_due_emails(timezone.now)
    delete_old_messages(timezone.now())
