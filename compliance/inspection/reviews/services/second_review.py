"""Confirmation by a second reviewer: if they agree, the decision takes effect; otherwise the finding is reopened."""

import secrets
from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.accounts.separation import require_other_person
from compliance.inspection.reviews.entry_kinds import CONFIRMED
from compliance.inspection.reviews.errors import NothingToConfirm
from compliance.inspection.reviews.models import Confirmation, Decision, Review
from compliance.inspection.reviews.selectors import deciders_of, people_who_recorded, require_reviewer
from compliance.inspection.reviews.states import ReviewState
from rounds.ledger import write_row
from rounds.transparency_log import formats


@transaction.atomic
def confirm_decision(*, decision: Decision, agrees: bool, note: str, actor: User, now: datetime) -> Confirmation:
    review = (
        Review.objects.select_for_update(no_key=True, of=("self",))
        .select_related("casino")
        .get(finding=decision.finding_id)
    )
    require_reviewer(actor, review.casino)
    recorded = people_who_recorded([decision.finding])
    require_other_person(actor, decided=deciders_of(decision.finding_id), recorded=recorded)
    if review.state != ReviewState.SECONDING or review.decided_times != decision.number:
        raise NothingToConfirm
    confirmation = Confirmation(
        decision=decision,
        agrees=agrees,
        note=note,
        note_salt=secrets.token_bytes(formats.SALT_BYTES),
        confirmed_by=actor,
        confirmed_by_name=actor.name,
        confirmed_at=now,
    )
    if agrees:
        Review.objects.filter(pk=review.pk).update(state=ReviewState.DECIDED)
    else:
        Review.objects.filter(pk=review.pk).update(state=ReviewState.OPEN, outcome="", reopens_at=None)
    return write_row(confirmation, kind=CONFIRMED, log=decision.log, now=now)
