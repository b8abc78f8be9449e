"""Alerts about questions that are overdue: one to those asked and to those who asked."""

from datetime import datetime
from itertools import groupby

from django.db import transaction

from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import Role
from compliance.core.web.local_time import format_local
from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.services.decisions import QUESTION_CLAUSE
from compliance.notify.alerts.services import raise_alert

UNANSWERED_DUTY = "question-unanswered"
BATCH_SIZE = 500


@transaction.atomic
def remind_of_unanswered(*, casino: Casino, now: datetime) -> int:
    """Returns the number of questions; at most five hundred at a time. Questions of one act share one alert."""
    late = Review.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).unanswered(now)
    rows = late.filter(casino=casino, reminded_at=None).select_related("finding")
    reviews = list(rows.order_by("answer_due_at", "code", "pk")[:BATCH_SIZE])
    Review.objects.filter(pk__in=[review.pk for review in reviews]).update(reminded_at=now)
    for _, together in groupby(reviews, lambda review: (review.answer_due_at, review.code)):
        _raise_reminder_alert(casino, list(together), now)
    return len(reviews)


def _raise_reminder_alert(casino: Casino, asked: list[Review], now: datetime) -> None:
    finding, due = asked[0].finding, asked[0].answer_due_at
    assert due is not None
    what = f"about {finding.code}" if len(asked) == 1 else f"about {len(asked):,} findings of {finding.code}"
    raise_alert(
        casino=casino,
        duty=UNANSWERED_DUTY,
        to=(Role.COMPLIANCE_OFFICER, Role.INSPECTOR),
        statement=f"What the inspectorate asked {what} was to be answered by {format_local(due, casino)}, and is not.",
        clause=finding.clause or QUESTION_CLAUSE,
        now=now,
        about=(finding.log, finding.entry_index),
        table=finding.table if len(asked) == 1 else "",
        immediately=False,
        fact_at=due,
    )
