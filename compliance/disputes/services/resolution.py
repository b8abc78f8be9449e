"""Payments after a dispute, advice of the patron's right, and the end of a dispute."""

from __future__ import annotations

from datetime import datetime

from django.core.mail import send_mail
from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.web.mail.render import render_email
from compliance.disputes.entry_bodies import AdviceBody, ClosingBody, PaymentBody, WithdrawalBody
from compliance.disputes.errors import AdviceMissing, StepStillOpen
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute, Step
from compliance.disputes.permissions import reader_roles, require_acting_role, roles_that_may_log_disputes
from compliance.disputes.services.decisions import decision_steps
from compliance.disputes.services.steps import lock_dispute, record_step


@transaction.atomic
def record_payment(
    *, dispute: Dispute, way: str, amount_cents: int, wager: str, note: str, actor: User, now: datetime
) -> Step:
    """Records a payment as it happened, decided or not; the audit flags payments before a decision."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, roles_that_may_log_disputes(is_promotion=locked.is_promotion))
    body = PaymentBody(
        way=way,  # type: ignore[arg-type]
        amount_cents=amount_cents,
        wager=wager,
        note=note,
        corrects=locked.subject_index,
        was_decided=bool(decision_steps(locked)),
    )
    return record_step(locked, body, by=actor, role=role, now=now)


@transaction.atomic
def advise_patron(*, dispute: Dispute, how: str, language: str, actor: User, now: datetime, email: str = "") -> Step:
    """Records that the patron was advised of their right. The e-mail address is used once and not stored."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, reader_roles(is_promotion=locked.is_promotion))
    right = locked.ladder.right
    body = AdviceBody(
        how=how,  # type: ignore[arg-type]
        language=language,
        told_of=right.told_of if right else "the operator's own procedure",
        clause=right.clause if right else "",
        law=right.law if right else "",
    )
    if email:
        transaction.on_commit(lambda: send_advice(locked, email))
    return record_step(locked, body, by=actor, role=role, now=now, advised_at=now)


def send_advice(dispute: Dispute, email: str) -> None:
    context = {"dispute": dispute, "right": dispute.ladder.right}
    subject, body = render_email("disputes/emails/advice.txt", context)
    send_mail(subject, body, None, [email])


@transaction.atomic
def withdraw_dispute(*, dispute: Dispute, reason: str, actor: User, now: datetime) -> Step:
    """The patron withdraws the dispute."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, roles_that_may_log_disputes(is_promotion=locked.is_promotion))
    return record_step(locked, WithdrawalBody(reason=reason), by=actor, role=role, now=now)


@transaction.atomic
def close_dispute(*, dispute: Dispute, reason: str, actor: User, now: datetime, unadvised_because: str = "") -> Step:
    """Closes the dispute. Refused while a step is open, or while a dissatisfied patron was not advised of their right.
    If the patron left before they could be advised, `unadvised_because` gives the reason: the dispute is closed and
    the audit flags it."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, reader_roles(is_promotion=locked.is_promotion))
    _check_no_step_open(locked)
    if locked.lacks_advice and not unadvised_because:
        assert locked.ladder.right is not None
        raise AdviceMissing(
            f"The patron is not satisfied, and nobody has recorded that they were told of "
            f"{locked.ladder.right.told_of} (clause {locked.ladder.right.clause})."
        )
    body = ClosingBody(reason=reason, unadvised_because=unadvised_because if locked.lacks_advice else "")
    return record_step(locked, body, by=actor, role=role, now=now)


def _check_no_step_open(dispute: Dispute) -> None:
    open_steps = {
        DisputeState.WAITING: f"{dispute.current_rung.title} has not been made: it is for {dispute.current_rung.who}.",
        DisputeState.DECIDED: "The patron has not been told of the decision.",
        DisputeState.WITH_INSPECTOR: "The inspector has not determined the complaint.",
    }
    if dispute.current_state in open_steps:
        raise StepStillOpen(open_steps[dispute.current_state])
