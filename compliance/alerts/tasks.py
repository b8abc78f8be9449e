"""The alerts' bells. PostgreSQL remembers whom to tell: a lost ring or a second one changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.alerts import feeds
from compliance.alerts.delivering import deliver_due, escalate_due
from compliance.alerts.services import DELIVER


@shared_task(name=DELIVER)
def tell_people() -> None:
    """Ladders first, so that those whom a rung adds are e-mailed in the same turn."""
    escalate_due(timezone.now)
    deliver_due(timezone.now)


@shared_task(name=feeds.FOLLOW)
def follow_feeds() -> None:
    feeds.follow_feeds(timezone.now)
