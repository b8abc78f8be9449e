"""Withdrawal of a decision on a finding: the review goes back to what the remaining acts led to."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import GOVERNMENT_ROLES
from compliance.core.corrections.registry import CorrectableRecord, register_correctable
from compliance.inspection.reviews import entry_kinds
from compliance.inspection.reviews.models import Decision, Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.states import ReviewState
from compliance.inspection.reviews.verify import acts_on, state_after_all
from compliance.inspection.reviews.views.common import finding_address
from rounds.ledger import LogEntry


def register() -> None:
    register_correctable(
        CorrectableRecord(
            kind=entry_kinds.DECIDED,
            writers=GOVERNMENT_ROLES,
            find=_find_decision,
            page=lambda decision: finding_address(decision.finding.review),
            dependents=_later_decisions,
            after=_move_back,
        )
    )


def _find_decision(entry: LogEntry) -> Decision | None:
    rows = Decision.recorded.filter(log=entry.log, entry_index=entry.index).select_related("finding")
    decision = rows.first()
    if decision is not None:
        reviews = Review.objects.select_for_update(no_key=True, of=("self",)).select_related("casino")
        decision.finding.review = reviews.get(finding=decision.finding_id)
    return decision


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
