"""Postponing a whole promotion when its integrity is in doubt, and going on when it has been validated (10.12, N48)."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import User
from compliance.accounts.services.roles import lock_casinos
from promotions.errors import PromotionMovedOn
from promotions.integrity import tell_inspectorate
from promotions.standing import MAY_WRITE, require
from promotions.terms.kinds import POSTPONED, VALIDATED
from promotions.terms.models import FOLLOWS, Integrity, Promotion, PromotionStep, Stop
from rounds.ledger.rows import write_row


@transaction.atomic
def postpone_promotion(
    *, promotion: Promotion, determined_at: datetime, reason: str, actor: User, now: datetime
) -> PromotionStep:
    """Until it is validated. The inspectorate is told at once; how late that was is measured from `determined_at`."""
    step = _next(promotion, Stop.POSTPONED, determined_at, reason, actor, now)
    tell_inspectorate(
        casino=promotion.casino, what=promotion.reference, became="postponed", determined_at=determined_at,
        actor=actor, now=now,
    )  # fmt: skip
    return write_row(step, kind=POSTPONED, log=promotion.casino.slug, now=now)


@transaction.atomic
def validate_promotion(*, promotion: Promotion, how: str, actor: User, now: datetime) -> PromotionStep:
    """Its integrity was validated: it goes on."""
    step = _next(promotion, Stop.VALIDATED, now, how, actor, now)
    return write_row(step, kind=VALIDATED, log=promotion.casino.slug, now=now)


def _next(
    promotion: Promotion, act: Stop, happened_at: datetime, statement: str, actor: User, now: datetime
) -> PromotionStep:
    require(actor, promotion.casino, MAY_WRITE)
    lock_casinos({promotion.casino_id})
    last = PromotionStep.objects.filter(promotion=promotion).order_by("-step").first()
    before = Integrity(last.after) if last else Integrity.SOUND
    if (before, act) not in FOLLOWS:
        raise PromotionMovedOn
    return PromotionStep(
        promotion=promotion, step=last.step + 1 if last else 1, act=act, before=before, after=FOLLOWS[before, act],
        happened_at=happened_at, statement=statement, by=actor, recorded_at=now,
    )  # fmt: skip
