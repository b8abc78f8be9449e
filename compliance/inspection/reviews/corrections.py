"""Withdrawal of decisions on findings, second reviews, answers and comments: the review goes back to what the remaining
acts led to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db.models import QuerySet

from compliance.core.accounts.models import User
from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable
from compliance.inspection.reviews import entry_kinds
from compliance.inspection.reviews.models import Answer, Comment, Confirmation, Decision, Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.selectors import MAY_ANSWER, MAY_COMMENT, MAY_REVIEW, deciders_of
from compliance.inspection.reviews.states import ReviewState
from compliance.inspection.reviews.verify import acts_on, state_after_all
from compliance.inspection.reviews.views.common import finding_address
from rounds.ledger import LogEntry


def register() -> None:
    register_correctable(
        CorrectableRecord(
            kind=entry_kinds.DECIDED,
            writers=MAY_REVIEW,
            find=_find_decision,
            page=lambda decision: finding_address(decision.finding.review),
            dependents=_later_decisions,
            after=_move_back,
        ),
        CorrectableRecord(
            kind=entry_kinds.CONFIRMED,
            writers=MAY_REVIEW,
            find=_find_act(Confirmation),
            page=lambda second: finding_address(second.decision.finding.review),
            parties=lambda second: {"decided": deciders_of(second.decision.finding_id)},
            dependents=_after_act,
            after=_move_back_from,
        ),
        CorrectableRecord(
            kind=entry_kinds.ANSWERED,
            writers=MAY_ANSWER,
            find=_find_act(Answer),
            page=lambda answer: answer.decision.finding.get_absolute_url(),
            dependents=_after_act,
            after=_move_back_from,
        ),
        CorrectableRecord(
            kind=entry_kinds.COMMENTED,
            writers=MAY_COMMENT,
            find=find_row(Comment, "finding__casino"),
            page=lambda comment: comment.finding.get_absolute_url(),
        ),
    )


def _find_decision(entry: LogEntry) -> Decision | None:
    return _lock_review(Decision.recorded.filter(log=entry.log, entry_index=entry.index))


def _lock_review(rows: QuerySet[Decision]) -> Decision | None:
    decision = rows.select_related("finding").first()
    if decision is not None:
        reviews = Review.objects.select_for_update(no_key=True, of=("self",)).select_related("casino")
        decision.finding.review = reviews.get(finding=decision.finding_id)
    return decision


def _find_act(model: type[Confirmation] | type[Answer]) -> Callable[[LogEntry], Confirmation | Answer | None]:
    def find(entry: LogEntry) -> Confirmation | Answer | None:
        act = model.recorded.filter(log=entry.log, entry_index=entry.index).first()
        decision = _lock_review(Decision.recorded.filter(pk=act.decision_id)) if act is not None else None
        if act is None or decision is None:
            return None
        act.decision = decision
        return act

    return find


def _after_act(act: Confirmation | Answer) -> Iterator[str]:
    """Later decisions on the finding, and that it was opened again."""
    yield from _later_decisions(act.decision)
    if hasattr(act.decision, "reopening"):
        yield "the finding was opened again when the accepted time was over"


def _move_back_from(act: Confirmation | Answer, actor: User, now: datetime) -> None:
    _move_back(act.decision, actor, now)


def _later_decisions(decision: Decision) -> Iterator[str]:
    yield from (f"decision {later.number}" for later in decision.finding.decisions.filter(number__gt=decision.number))


def _move_back(decision: Decision, actor: User, now: datetime) -> None:
    review = decision.finding.review
    if review.state == ReviewState.LAPSED:
        return
    [acts] = acts_on([review.finding_id]).values()
    review.state, review.outcome = state_after_all(acts)
    last = decision.finding.decisions.order_by("-number").first()
    review.answer_due_at = last.due_at if last and review.outcome == Outcome.NEEDS_INFORMATION else None
    review.reopens_at = last.accepted_until if last and review.outcome == Outcome.RISK_ACCEPTED else None
    review.claimed_by = review.claim_ends_at = review.reminded_at = None
    review.save()
