"""Permissions and formatting shared by these views."""

from datetime import datetime, timedelta

from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.selectors import MAY_ANSWER, MAY_REVIEW, MAY_SET_POLICY

reviewers_only = require_roles(*MAY_REVIEW)
answerers_only = require_roles(*MAY_ANSWER)
policy_setters_only = require_roles(*MAY_SET_POLICY)
WARNING_BEFORE = timedelta(hours=4)


def finding_address(review: Review) -> str:
    return casino_url("reviews:finding", review.casino, finding=review.finding.entry_index)


def format_duration(span: timedelta) -> str:
    """ "3 days", "5 hours" or "20 minutes": one unit is precise enough to choose what comes first."""
    seconds = int(abs(span).total_seconds())
    for size, noun in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            number = seconds // size
            return f"{number:,} {noun}{'' if number == 1 else 's'}"
    return "less than a minute"


def due_tag(review: Review, now: datetime) -> Tag:
    left = review.time_left(now)
    if left < timedelta(0):
        return Tag(f"{format_duration(left)} late", "danger")
    return Tag(f"{format_duration(left)} left", "warning" if left < WARNING_BEFORE else "neutral")
