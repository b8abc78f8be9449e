"""Decisions on one finding, or on a group with one reason. Each decision is one row and one entry."""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.separation import require_other_person
from compliance.core.web.local_time import format_local
from compliance.inspection.reviews.consumer import policy_of
from compliance.inspection.reviews.entry_kinds import DECIDED
from compliance.inspection.reviews.errors import AnswerDueTooLate, DecidedMeanwhile, GroupChanged, TooManyTogether
from compliance.inspection.reviews.models import Decision, Review, ReviewQuerySet
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.selectors import (
    accepted_the_expired_risk,
    decidable_reviews,
    people_who_recorded,
    require_reviewer,
)
from compliance.inspection.reviews.services.finding_claims import lock_review
from compliance.inspection.reviews.states import ReviewState
from compliance.notify.alerts.services import raise_alert
from rounds.ledger import append, make_entry
from rounds.transparency_log import formats

MAX_GROUP_SIZE = 2_000
# A question that is due later was mistyped: a finding is not left unanswered for longer.
MAX_ANSWER_TIME = timedelta(days=90)
# Cited by an alert when the finding has no clause.
QUESTION_CLAUSE = "the inspectorate’s question"


@dataclass(frozen=True, kw_only=True)
class DecisionInput:
    """A decision before it is recorded. `question` and `due_at` are only for needs-information, `accepted_until` only
    for risk-accepted.
    """

    outcome: Outcome
    reason: str
    note: str
    question: str = ""
    due_at: datetime | None = None
    accepted_until: datetime | None = None


@transaction.atomic
def decide_finding(
    *, review: Review, decided: DecisionInput, expected_decisions: int, actor: User, now: datetime
) -> Decision:
    """`expected_decisions` is an optimistic lock: the number of decisions when the form was opened.

    An expired claim does not matter unless somebody else has claimed the finding.
    """
    require_reviewer(actor, review.casino)
    locked = lock_review(review, actor, now)
    if locked.decided_times != expected_decisions:
        raise DecidedMeanwhile
    require_other_person(actor, accepted=accepted_the_expired_risk(locked))
    [decision] = _record_decisions(review.casino, [locked], decided, actor, now)
    return decision


@transaction.atomic
def decide_group(
    *, casino: Casino, group: ReviewQuerySet, decided: DecisionInput, expected: int, actor: User, now: datetime
) -> list[Decision]:
    """Decides every waiting finding of the group that nobody else has claimed; none if the group changed."""
    require_reviewer(actor, casino)
    if expected > MAX_GROUP_SIZE:
        raise TooManyTogether(f"That is {expected:,} findings; at most {MAX_GROUP_SIZE:,} are decided at once.")
    own = decidable_reviews(group.filter(casino=casino).waiting(), actor, now)
    locked = own.select_for_update(no_key=True, of=("self",)).select_related("finding").order_by("pk")
    reviews = list(locked[: MAX_GROUP_SIZE + 1])
    if len(reviews) != expected:
        raise GroupChanged
    return _record_decisions(casino, reviews, decided, actor, now, together=str(uuid.uuid4()))


def _record_decisions(
    casino: Casino, reviews: Sequence[Review], decided: DecisionInput, actor: User, now: datetime, together: str = ""
) -> list[Decision]:
    require_other_person(actor, recorded=people_who_recorded([review.finding for review in reviews]))
    if decided.due_at and decided.due_at > now + MAX_ANSWER_TIME:
        raise AnswerDueTooLate(f"An answer is due within {MAX_ANSWER_TIME.days} days.")
    seconded = set(made.seconded) if (made := policy_of(casino)) else set()
    decisions = [
        _build_decision(review, decided, actor, now, together, is_seconded=review.severity in seconded)
        for review in reviews
    ]
    for is_seconded in (True, False):
        moved = [
            review.pk for review, one in zip(reviews, decisions, strict=True) if one.is_to_be_seconded == is_seconded
        ]
        if moved:
            _update_reviews(moved, decided, is_seconded=is_seconded)
    if decided.outcome == Outcome.NEEDS_INFORMATION:
        _alert_operator(casino, decisions, actor, now)
    receipts = append(
        casino.slug, [make_entry(DECIDED, one.entry_body(), table=one.finding.table or None) for one in decisions], now
    )
    for decision, receipt in zip(decisions, receipts, strict=True):
        decision.entry_index = receipt.index
    return Decision.objects.bulk_create(decisions, batch_size=500)


def _alert_operator(casino: Casino, asked: Sequence[Decision], actor: User, now: datetime) -> None:
    """One alert for one act, however many findings it asks about. The questions are on the operator's page."""
    finding, number = asked[0].finding, len(asked)
    due = asked[0].due_at
    what = f"about {finding.code}" if number == 1 else f"about {number:,} findings of {finding.code}"
    by = f" The answer is due by {format_local(due, casino)}." if due else ""
    raise_alert(
        casino=casino,
        duty="question-asked",
        to=Role.COMPLIANCE_OFFICER,
        statement=f"The inspectorate asks {what}.{by}",
        clause=finding.clause or QUESTION_CLAUSE,
        now=now,
        actor=actor,
        about=(finding.log, finding.entry_index),
        table=finding.table if number == 1 else "",
        immediately=False,
    )


def _build_decision(
    review: Review, decided: DecisionInput, actor: User, now: datetime, together: str, *, is_seconded: bool
) -> Decision:
    finding: Finding = review.finding
    return Decision(
        log=finding.log,
        finding=finding,
        number=review.decided_times + 1,
        outcome=decided.outcome,
        reason=decided.reason,
        note=decided.note,
        note_salt=secrets.token_bytes(formats.SALT_BYTES),
        question=decided.question,
        due_at=decided.due_at,
        accepted_until=decided.accepted_until,
        is_to_be_seconded=is_seconded and decided.outcome.closes_finding,
        together=together,
        decided_by=actor,
        decided_by_name=actor.name,
        decided_at=now,
    )


def _update_reviews(reviews: Sequence[int], decided: DecisionInput, *, is_seconded: bool) -> None:
    state = (
        ReviewState.SECONDING
        if is_seconded
        else ReviewState.DECIDED
        if decided.outcome.closes_finding
        else ReviewState.ASKED
    )
    Review.objects.filter(pk__in=reviews).update(
        state=state,
        outcome=decided.outcome,
        decided_times=F("decided_times") + 1,
        reopens_at=decided.accepted_until,
        answer_due_at=decided.due_at,
        reminded_at=None,
        claimed_by=None,
        claim_ends_at=None,
    )
