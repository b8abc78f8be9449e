"""Reopens findings whose accepted risk has expired. Automatic, because the decision set the date."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino
from compliance.inspection.reviews.entry_kinds import REOPENED
from compliance.inspection.reviews.models import Decision, Reopening, Review
from compliance.inspection.reviews.states import ReviewState
from rounds.ledger import append, make_entry

BATCH_SIZE = 500


@transaction.atomic
def reopen_expired_risks(*, casino: Casino, now: datetime) -> list[Reopening]:
    """Reopens those that are due; at most five hundred at a time."""
    due = Review.objects.select_for_update(skip_locked=True, no_key=True, of=("self",)).filter(
        casino=casino, reopens_at__lte=now, state=ReviewState.DECIDED
    )
    reviews = list(due.order_by("pk")[:BATCH_SIZE])
    if not reviews:
        return []
    # The last decision of each is the acceptance, because only that sets the date.
    newest = Decision.objects.filter(finding__in=[review.finding_id for review in reviews])
    newest = newest.order_by("finding_id", "-number").distinct("finding_id").select_related("finding")
    reopened = [Reopening(log=casino.slug, decision=decision, reopened_at=now) for decision in newest]
    Review.objects.filter(pk__in=[review.pk for review in reviews]).update(
        state=ReviewState.OPEN, outcome="", reopens_at=None, due_at=now
    )
    receipts = append(casino.slug, [make_entry(REOPENED, one.entry_body()) for one in reopened], now)
    for one, receipt in zip(reopened, receipts, strict=True):
        one.entry_index = receipt.index
    return Reopening.objects.bulk_create(reopened)
