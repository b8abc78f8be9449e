"""Celery tasks for e-mails.
In the background, so that a reset takes the same time whether or not the address is known."""

from celery import shared_task
from django.utils import timezone

from compliance.core.accounts import emails
from compliance.core.accounts.models import AccountEvent
from compliance.core.accounts.services import request_password_reset


@shared_task(name="compliance.core.accounts.tasks.send_password_reset")
def send_password_reset(*, email: str, site: str) -> None:
    person = request_password_reset(email=email, now=timezone.now())
    if person is not None:
        emails.send_password_reset(person, site)


@shared_task(name="compliance.core.accounts.tasks.send_event_notice")
def send_event_notice(*, event: int) -> None:
    emails.send_event_notice(AccountEvent.objects.select_related("subject", "actor", "casino").get(pk=event))
