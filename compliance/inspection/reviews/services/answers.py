"""The operator's answer to an inspector's question."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.inspection.reviews.entry_kinds import ANSWERED
from compliance.inspection.reviews.errors import AnsweredAlready
from compliance.inspection.reviews.models import Answer, Decision, Review
from compliance.inspection.reviews.selectors import require_answerer
from compliance.inspection.reviews.states import ReviewState
from rounds.ledger import write_row


@transaction.atomic
def answer_question(*, decision: Decision, text: str, actor: User, now: datetime) -> Answer:
    """A late answer is accepted too; its time shows that it was late."""
    review = (
        Review.objects.select_for_update(no_key=True, of=("self",))
        .select_related("casino")
        .get(finding=decision.finding_id)
    )
    require_answerer(actor, review.casino)
    if review.state != ReviewState.ASKED or review.decided_times != decision.number:
        raise AnsweredAlready
    answer = Answer(decision=decision, text=text, answered_by=actor, answered_by_name=actor.name, answered_at=now)
    Review.objects.filter(pk=review.pk).update(state=ReviewState.ANSWERED)
    return write_row(answer, kind=ANSWERED, log=decision.log, now=now)
