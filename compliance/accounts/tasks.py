"""Letters that nobody waits for. Asking for a password takes the same time whether or not the address is known."""

from celery import shared_task
from django.utils import timezone

from compliance.accounts import letters
from compliance.accounts.models import AccountEvent
from compliance.accounts.services import ask_for_password_reset


@shared_task(name="compliance.accounts.tasks.send_password_reset")
def send_password_reset(*, email: str, site: str) -> None:
    person = ask_for_password_reset(email=email, now=timezone.now())
    if person is not None:
        letters.send_password_reset(person, site)


@shared_task(name="compliance.accounts.tasks.send_notice")
def send_notice(*, event: int) -> None:
    letters.send_notice(AccountEvent.objects.select_related("subject", "actor", "casino").get(pk=event))
