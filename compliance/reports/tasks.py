"""The bell of reports. PostgreSQL remembers what is to be made: a lost ring or a second one changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.reports.making import make_waiting
from compliance.reports.services import MAKE


@shared_task(name=MAKE)
def make_reports() -> None:
    make_waiting(timezone.now)
