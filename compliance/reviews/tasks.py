"""The bells of reviews. PostgreSQL remembers what is to be done: a lost ring or a second one changes nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.accounts.models import Casino
from compliance.reviews import following, services
from rounds.ledger.read_only import read_only_logs


@shared_task(name="compliance.reviews.tasks.follow_findings")
def follow_findings() -> None:
    following.follow_findings()


@shared_task(name="compliance.reviews.tasks.reopen_accepted")
def reopen_accepted() -> None:
    for casino in Casino.objects.exclude(slug__in=read_only_logs()).order_by("slug"):
        while services.reopen_accepted(casino=casino, now=timezone.now()):
            pass


@shared_task(name="compliance.reviews.tasks.remind_of_unanswered")
def remind_of_unanswered() -> None:
    for casino in Casino.objects.exclude(slug__in=read_only_logs()).order_by("slug"):
        while services.remind_of_unanswered(casino=casino, now=timezone.now()):
            pass
