"""Who works on what. A claim runs out by itself, so that nobody's coffee break holds up a finding."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from compliance.accounts.models import Casino, User
from compliance.reviews.errors import FindingLapsed, HeldByAnother, NothingWaits
from compliance.reviews.following import follow_findings
from compliance.reviews.models import Review
from compliance.reviews.selectors import require_reviewer
from compliance.reviews.states import State

CLAIM_LASTS = timedelta(minutes=30)


def claim_next(*, casino: Casino, actor: User, now: datetime, after: Review | None = None) -> Review:
    """The gravest, most pressing finding that nobody holds. Whoever holds one already gets that one again.

    With `after`, the one that comes after it: for somebody who put that one back.
    """
    require_reviewer(actor, casino)
    follow_findings([casino.slug])
    return _claim_next(casino, actor, now, after)


@transaction.atomic
def _claim_next(casino: Casino, actor: User, now: datetime, after: Review | None) -> Review:
    waiting = Review.objects.filter(casino=casino).waiting()
    held = waiting.held_by(actor, now).in_order().first()
    if held is not None and held != after:
        return _extend(held, actor, now)
    # Rows that a colleague is claiming at this moment are passed over, not waited for.
    free = waiting.free(now).in_order().select_for_update(skip_locked=True, no_key=True)
    review = (free.filter(_later_than(after)).first() if after else None) or free.first()
    if review is None:
        raise NothingWaits
    return _extend(review, actor, now)


def _later_than(after: Review) -> Q:
    return (
        Q(rank__gt=after.rank)
        | Q(rank=after.rank, due_at__gt=after.due_at)
        | Q(rank=after.rank, due_at=after.due_at, pk__gt=after.pk)
    )


@transaction.atomic
def claim_finding(*, review: Review, actor: User, now: datetime) -> Review:
    """This one, unless somebody else holds it."""
    require_reviewer(actor, review.casino)
    locked = lock_review(review, actor, now)
    return _extend(locked, actor, now)


@transaction.atomic
def put_back(*, review: Review, actor: User, now: datetime) -> None:
    require_reviewer(actor, review.casino)
    Review.objects.filter(pk=review.pk, claimed_by=actor).update(claimed_by=None, claim_ends_at=None)


def lock_review(review: Review, actor: User, now: datetime) -> Review:
    """Its row, held until the transaction ends. Refuses what somebody else holds and what lapsed."""
    locked = Review.objects.select_for_update(no_key=True, of=("self",)).select_related("finding").get(pk=review.pk)
    if locked.state == State.LAPSED:
        raise FindingLapsed
    if locked.is_held_by_another(actor, now):
        raise HeldByAnother(f"{locked.claimed_by} is reviewing this finding.")
    return locked


def _extend(review: Review, actor: User, now: datetime) -> Review:
    review.claimed_by, review.claim_ends_at = actor, now + CLAIM_LASTS
    review.save(update_fields=["claimed_by", "claim_ends_at"])
    return review
