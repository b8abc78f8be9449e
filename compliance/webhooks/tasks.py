"""The webhooks' bell. PostgreSQL remembers what is to be told: a lost ring or a second one changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.webhooks.delivering import deliver_due
from compliance.webhooks.following import follow_events
from compliance.webhooks.services import TELL


@shared_task(name=TELL)
def tell_systems() -> None:
    follow_events(timezone.now)
    deliver_due(timezone.now)
