"""Permissions and formatting shared by these views."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from compliance.core.accounts.models import Casino
from compliance.core.web.access import require_roles
from compliance.core.web.local_time import format_local
from compliance.core.web.ui.components import Column, Tag, TimelineEntry
from compliance.core.web.ui.links import casino_url
from compliance.inspection.reviews.models import Comment, Decision, Review
from compliance.inspection.reviews.selectors import MAY_ANSWER, MAY_REVIEW, MAY_SET_POLICY
from compliance.inspection.reviews.states import ReviewState

reviewers_only = require_roles(*MAY_REVIEW)
answerers_only = require_roles(*MAY_ANSWER)
policy_setters_only = require_roles(*MAY_SET_POLICY)
WARNING_BEFORE = timedelta(hours=4)


def finding_address(review: Review) -> str:
    return casino_url("reviews:finding", review.casino, finding=review.finding.entry_index)


def sentence_column(casino: Casino) -> Column:
    """What was found, with local times on the page and as recorded in files."""
    return Column(
        "What was found",
        "finding.sentence",
        display=lambda row: row.finding.in_local_time(row.finding.sentence, casino),
    )


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


def answer_tag(review: Review, now: datetime) -> Tag | None:
    """For a finding about which the operator was asked: until when the answer is due, and whether it is late."""
    if review.state != ReviewState.ASKED or review.answer_due_at is None:
        return None
    due = format_local(review.answer_due_at, review.casino)
    if review.is_unanswered(now):
        return Tag(f"Answer overdue since {due}", "danger")
    return Tag(f"Operator asked, answer due {due}", "info")


def question_text(decision: Decision, casino: Casino) -> str:
    """The question of a decision and until when its answer is due; empty if nothing was asked."""
    due = f" Answer due {format_local(decision.due_at, casino)}." if decision.due_at else ""
    return f" Asked: {decision.question}{due}" if decision.question else ""


def comment_entries(comments: Iterable[Comment]) -> Iterator[TimelineEntry]:
    return (TimelineEntry("The operator commented", one.at, one.by_name, one.text) for one in comments)
