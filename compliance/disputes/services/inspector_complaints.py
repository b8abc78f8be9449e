"""Use cases of the inspector: complaint, notes, requests to the operator, outcome, letter."""

from __future__ import annotations

from datetime import date, datetime
from hashlib import sha256
from typing import Literal

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.accounts.separation import require_other_person
from compliance.disputes import entry_kinds
from compliance.disputes.deadlines import request_due_at
from compliance.disputes.entry_bodies import (
    AnswerBody,
    ComplaintBody,
    InspectorDeterminationBody,
    LetterBody,
    NoteBody,
    RequestBody,
)
from compliance.disputes.errors import AnsweredAlready, NoDeterminationYet, StepNotAllowedNow
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute, InspectorNote, IssuedLetter, Step
from compliance.disputes.permissions import MAY_INSPECT, reader_roles, require_acting_role, roles_that_may_log_disputes
from compliance.disputes.services.decisions import decision_steps
from compliance.disputes.services.steps import lock_dispute, record_step
from rounds.transparency_log import formats

Received = Literal["in-person", "writing", "telephone", "e-mail"]


@transaction.atomic
def record_complaint(*, dispute: Dispute, received: Received, actor: User, now: datetime) -> Step:
    """The patron's complaint reached an inspector, directly or through the operator."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, reader_roles(is_promotion=locked.is_promotion))
    right = locked.ladder.right
    body = ComplaintBody(received=received, clause=right.clause if right else "")
    return record_step(locked, body, by=actor, role=role, now=now, is_satisfied=False)


@transaction.atomic
def add_inspector_note(*, dispute: Dispute, text: str, actor: User, now: datetime) -> InspectorNote:
    """Adds a note for government only: the ledger gets a salted digest, which reveals nothing to the operator."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, MAY_INSPECT)
    commitment = formats.digest_personal_fields({"note": text})
    step = record_step(locked, NoteBody(digest_sha256=commitment.digest), by=actor, role=role, now=now)
    return InspectorNote.objects.create(step=step, text=text, salt=commitment.salt)


@transaction.atomic
def request_from_operator(
    *,
    dispute: Dispute,
    what: Literal["information", "footage"],
    question: str,
    due_on: date,
    actor: User,
    now: datetime,
) -> Step:
    """Asks for information, or for footage to be preserved, by a day."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, MAY_INSPECT)
    if locked.current_state is not DisputeState.WITH_INSPECTOR:
        raise StepNotAllowedNow
    body = RequestBody(what=what, question=question, due_on=due_on.isoformat())
    return record_step(locked, body, by=actor, role=role, now=now)


@transaction.atomic
def answer_request(*, dispute: Dispute, request: int, text: str, actor: User, now: datetime) -> Step:
    """The operator's answer to a request, identified by its entry.
    A late answer is accepted and recorded with its deadline."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, roles_that_may_log_disputes(is_promotion=locked.is_promotion))
    steps = list(locked.steps.all())
    request_step = next(
        (step for step in steps if step.kind == entry_kinds.ASKED and step.entry_index == request), None
    )
    if request_step is None:
        raise StepNotAllowedNow
    if any(step.kind == entry_kinds.ANSWERED and step.said.get("answers") == request for step in steps):
        raise AnsweredAlready
    waited = (request_step.at, request_due_at(locked.casino, date.fromisoformat(request_step.said["due_on"])))
    return record_step(locked, AnswerBody(answers=request, text=text), by=actor, role=role, now=now, waited=waited)


@transaction.atomic
def determine_complaint(
    *, dispute: Dispute, determination: InspectorDeterminationBody, actor: User, now: datetime
) -> Step:
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, MAY_INSPECT)
    handled = [step.by_id for step in locked.steps.all() if step.role not in MAY_INSPECT]
    decided = [step.by_id for step in decision_steps(locked)]
    require_other_person(actor, decided=decided, logged=locked.logged_by_id, handled=handled)
    return record_step(locked, determination, by=actor, role=role, now=now, outcome=determination.outcome)


@transaction.atomic
def issue_letter(
    *, dispute: Dispute, content: bytes, how: Literal["handed-over", "posted", "emailed"], actor: User, now: datetime
) -> Step:
    """Records that this letter went to the patron, and stores it as it was signed."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, MAY_INSPECT)
    if not any(step.kind == entry_kinds.DETERMINED for step in locked.steps.all()):
        raise NoDeterminationYet
    body = LetterBody(sha256=sha256(content).hexdigest(), how=how)
    step = record_step(locked, body, by=actor, role=role, now=now)
    IssuedLetter.objects.create(step=step, content=content)
    return step
