"""What these views share: who may open them, where they lie, and how an age is said."""

from datetime import datetime, timedelta

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.reviews.models import Review
from compliance.reviews.selectors import MAY_ANSWER, MAY_ARRANGE, MAY_REVIEW
from compliance.web.access import held_by
from compliance.web.components import Tag

reviewers = held_by(*MAY_REVIEW)
answerers = held_by(*MAY_ANSWER)
arrangers = held_by(*MAY_ARRANGE)
SOON = timedelta(hours=4)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"reviews:{name}", kwargs={"casino": casino.slug, **kwargs})


def finding_address(review: Review) -> str:
    return address_of("finding", review.casino, finding=review.finding.entry_index)


def span_words(span: timedelta) -> str:
    """Such as 3 days, 5 hours or 20 minutes: one unit is enough to choose what comes first."""
    seconds = int(abs(span).total_seconds())
    for size, noun in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            number = seconds // size
            return f"{number:,} {noun}{'' if number == 1 else 's'}"
    return "less than a minute"


def service_tag(review: Review, now: datetime) -> Tag:
    left = review.left(now)
    if left < timedelta(0):
        return Tag(f"{span_words(left)} late", "danger")
    return Tag(f"{span_words(left)} left", "warning" if left < SOON else "neutral")
