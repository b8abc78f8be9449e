"""Postpones a whole promotion when its integrity is in doubt, and resumes it when validated (10.12, N48)."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from compliance.core.accounts.models import User
from compliance.core.accounts.separation import require_other_person
from compliance.core.accounts.services.roles import lock_casinos
from promotions.shared.errors import PromotionStateChanged
from promotions.shared.integrity_alert import notify_inspectorate
from promotions.shared.permissions import MAY_WRITE, check_roles
from promotions.terms.entry_kinds import POSTPONED, VALIDATED
from promotions.terms.models import (
    INTEGRITY_TRANSITIONS,
    Integrity,
    Promotion,
    PromotionAct,
    PromotionStep,
    TermsVersion,
)
from rounds.ledger import write_row


@transaction.atomic
def postpone_promotion(
    *, promotion: Promotion, determined_at: datetime, reason: str, actor: User, now: datetime
) -> PromotionStep:
    """Postpones until validated. Alerts the inspectorate at once; its delay is measured from `determined_at`."""
    step = _build_step(promotion, PromotionAct.POSTPONED, determined_at, reason, actor, now)
    notify_inspectorate(
        casino=promotion.casino,
        what=promotion.reference,
        new_state="postponed",
        determined_at=determined_at,
        actor=actor,
        now=now,
    )
    return write_row(step, kind=POSTPONED, log=promotion.casino.slug, now=now)


@transaction.atomic
def validate_promotion(*, promotion: Promotion, how: str, actor: User, now: datetime) -> PromotionStep:
    """Records that its integrity was validated, so that it continues. By another person than those who filed the terms
    in force and who postponed it."""
    step = _build_step(promotion, PromotionAct.VALIDATED, now, how, actor, now)
    return write_row(step, kind=VALIDATED, log=promotion.casino.slug, now=now)


def _build_step(
    promotion: Promotion, act: PromotionAct, happened_at: datetime, statement: str, actor: User, now: datetime
) -> PromotionStep:
    check_roles(actor, promotion.casino, MAY_WRITE)
    lock_casinos({promotion.casino_id})
    last = PromotionStep.objects.filter(promotion=promotion).order_by("-step").first()
    newest = PromotionStep.recorded.filter(promotion=promotion).aggregate(number=Max("step"))["number"]
    before = Integrity(last.after) if last else Integrity.SOUND
    if (before, act) not in INTEGRITY_TRANSITIONS:
        raise PromotionStateChanged
    if last and act is PromotionAct.VALIDATED:
        filers = TermsVersion.objects.filter(promotion=promotion).values_list("filed_by", flat=True)
        require_other_person(actor, postponed=last.by_id, filed=list(filers))
    return PromotionStep(
        promotion=promotion,
        step=(newest or 0) + 1,
        act=act,
        before=before,
        after=INTEGRITY_TRANSITIONS[before, act],
        happened_at=happened_at,
        statement=statement,
        by=actor,
        recorded_at=now,
    )
