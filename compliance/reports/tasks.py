"""The bell of reports. PostgreSQL remembers what to make and send: a lost ring or a second changes nothing."""

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from compliance.reports.certificates import record_everywhere
from compliance.reports.letters import send_letters
from compliance.reports.making import make_waiting
from compliance.reports.scheduling import ask_for_due
from compliance.reports.services import MAKE
from compliance.web.signing import CannotSign


@shared_task(name=MAKE)
def make_reports() -> None:
    """What is due by schedule first, so that it is made and told of in the same turn."""
    # Whoever runs the service may have put another key there. Without any, the status page says so.
    with suppress(CannotSign):
        record_everywhere(timezone.now())
    ask_for_due(timezone.now())
    make_waiting(timezone.now)
    send_letters(timezone.now)
