"""The bell of what is new in views. PostgreSQL remembers what was told: a lost ring or a second changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.saved.letters import send_due, throw_away_old
from compliance.saved.news import find_news


@shared_task(name="compliance.saved.tasks.tell_news")
def tell_news() -> None:
    find_news(timezone.now)
    send_due(timezone.now)
    throw_away_old(timezone.now())
