"""Celery task for password resets.
In the background, so that a reset takes the same time whether or not the address is known."""

from celery import shared_task
from django.utils import timezone

from compliance.core.accounts.services import request_password_reset


@shared_task(name="compliance.core.accounts.tasks.send_password_reset")
def send_password_reset(*, email: str, site: str) -> None:
    request_password_reset(email=email, site=site, now=timezone.now())
