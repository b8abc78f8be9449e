"""Claims of findings by reviewers. A claim expires, so that an absent reviewer does not block a finding."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from compliance.core.accounts.models import Casino, User
from compliance.inspection.reviews.consumer import consume_findings
from compliance.inspection.reviews.errors import FindingLapsed, HeldByAnother, NothingWaits
from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.selectors import require_reviewer
from compliance.inspection.reviews.states import ReviewState

CLAIM_DURATION = timedelta(minutes=30)


def claim_next_finding(*, casino: Casino, actor: User, now: datetime, after: Review | None = None) -> Review:
    """Claims the next unclaimed finding in queue order. Returns the reviewer's current claim if there is one.

    With `after`, the finding that follows it: for a reviewer who released that one.
    """
    require_reviewer(actor, casino)
    consume_findings([casino.slug])
    return _claim_next_locked(casino, actor, now, after)


@transaction.atomic
def _claim_next_locked(casino: Casino, actor: User, now: datetime, after: Review | None) -> Review:
    waiting = Review.objects.filter(casino=casino).waiting().not_accepted_by(actor)
    claimed = waiting.claimed_by_person(actor, now).in_queue_order().first()
    if claimed is not None and claimed != after:
        return _extend_claim(claimed, actor, now)
    # Skips rows that a colleague is claiming now, instead of waiting for their lock.
    free = waiting.unclaimed(now).in_queue_order().select_for_update(skip_locked=True, no_key=True)
    review = (free.filter(_later_in_queue(after)).first() if after else None) or free.first()
    if review is None:
        raise NothingWaits
    return _extend_claim(review, actor, now)


def _later_in_queue(after: Review) -> Q:
    return (
        Q(rank__gt=after.rank)
        | Q(rank=after.rank, due_at__gt=after.due_at)
        | Q(rank=after.rank, due_at=after.due_at, pk__gt=after.pk)
    )


@transaction.atomic
def claim_finding(*, review: Review, actor: User, now: datetime) -> Review:
    """Claims this finding, unless somebody else has."""
    require_reviewer(actor, review.casino)
    locked = lock_review(review, actor, now)
    return _extend_claim(locked, actor, now)


@transaction.atomic
def release_claim(*, review: Review, actor: User, now: datetime) -> None:
    require_reviewer(actor, review.casino)
    Review.objects.filter(pk=review.pk, claimed_by=actor).update(claimed_by=None, claim_ends_at=None)


def lock_review(review: Review, actor: User, now: datetime) -> Review:
    """Locks the row. Refuses a finding claimed by somebody else, and a lapsed one."""
    locked = Review.objects.select_for_update(no_key=True, of=("self",)).select_related("finding").get(pk=review.pk)
    if locked.state == ReviewState.LAPSED:
        raise FindingLapsed
    if locked.is_claimed_by_another(actor, now):
        raise HeldByAnother(f"{locked.claimed_by} is reviewing this finding.")
    return locked


def _extend_claim(review: Review, actor: User, now: datetime) -> Review:
    review.claimed_by, review.claim_ends_at = actor, now + CLAIM_DURATION
    review.save(update_fields=["claimed_by", "claim_ends_at"])
    return review
