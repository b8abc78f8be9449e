"""Periodic tasks of reviews. Idempotent: the database holds what is due, so a lost or repeated message changes
nothing."""

from celery import shared_task
from django.utils import timezone

from compliance.core.accounts.models import Casino
from compliance.inspection.reviews import consumer, services
from rounds.ledger import read_only_log_slugs


@shared_task(name="compliance.inspection.reviews.tasks.consume_findings")
def consume_findings() -> None:
    consumer.consume_findings()


@shared_task(name="compliance.inspection.reviews.tasks.reopen_accepted")
def reopen_accepted() -> None:
    for casino in Casino.objects.exclude(slug__in=read_only_log_slugs()).order_by("slug"):
        while services.reopen_expired_risks(casino=casino, now=timezone.now()):
            pass


@shared_task(name="compliance.inspection.reviews.tasks.remind_of_unanswered")
def remind_of_unanswered() -> None:
    for casino in Casino.objects.exclude(slug__in=read_only_log_slugs()).order_by("slug"):
        while services.remind_of_unanswered(casino=casino, now=timezone.now()):
            pass
