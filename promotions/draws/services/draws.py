"""Schedules a draw, holds it, stops it when its integrity is in doubt, and validates it again."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from compliance.core.accounts.models import User
from compliance.core.accounts.separation import require_other_person
from compliance.core.accounts.services.roles import lock_casinos
from promotions.draws.entry_kinds import KIND_BY_ACT, SCHEDULED
from promotions.draws.models import Draw, DrawStep
from promotions.draws.states import TRANSITIONS, DrawAct, DrawState
from promotions.shared.errors import DrawStateChanged
from promotions.shared.integrity_alert import notify_inspectorate
from promotions.shared.permissions import MAY_WRITE, check_roles
from promotions.terms.models import Promotion
from rounds.ledger import write_row


@transaction.atomic
def schedule_draw(
    *, promotion: Promotion, scheduled_at: datetime, place: str, method: str, actor: User, now: datetime
) -> Draw:
    check_roles(actor, promotion.casino, MAY_WRITE)
    lock_casinos({promotion.casino_id})
    last = Draw.recorded.filter(promotion=promotion).aggregate(last=Max("number"))["last"]
    draw = Draw(
        promotion=promotion,
        number=(last or 0) + 1,
        scheduled_at=scheduled_at,
        place=place,
        method=method,
        by=actor,
        at=now,
    )
    return write_row(draw, kind=SCHEDULED, log=promotion.casino.slug, now=now)


@transaction.atomic
def hold_draw(
    *,
    draw: Draw,
    held_at: datetime,
    place: str,
    method: str,
    entries: int,
    result: str,
    scrutineer: str,
    is_confirmed: bool,
    actor: User,
    now: datetime,
) -> DrawStep:
    """A draw held without its required scrutineer is still recorded; the audit flags it."""
    particulars = {
        "place": place,
        "method": method,
        "entries": entries,
        "scrutineer": scrutineer,
        "scrutineer_confirmed": bool(scrutineer) and is_confirmed,
    }
    return _build_step(draw, DrawAct.HELD, held_at, result, actor, now, particulars=particulars)


@transaction.atomic
def stop_draw(
    *, draw: Draw, act: DrawAct, determined_at: datetime, reason: str, actor: User, now: datetime
) -> DrawStep:
    """Integrity in doubt: postpones the draw until it is validated, or cancels it. Alerts the inspectorate at once."""
    notify_inspectorate(
        casino=draw.promotion.casino,
        what=draw.reference,
        new_state=act.label.lower(),
        determined_at=determined_at,
        actor=actor,
        now=now,
    )
    return _build_step(draw, act, determined_at, reason, actor, now)


@transaction.atomic
def validate_draw(*, draw: Draw, how: str, scheduled_at: datetime, actor: User, now: datetime) -> DrawStep:
    """By another person than those who scheduled the draw and who postponed it."""
    return _build_step(draw, DrawAct.VALIDATED, now, how, actor, now, scheduled_at=scheduled_at)


def _build_step(
    draw: Draw, act: DrawAct, happened_at: datetime, statement: str, actor: User, now: datetime, **more: Any
) -> DrawStep:
    casino = draw.promotion.casino
    check_roles(actor, casino, MAY_WRITE)
    lock_casinos({casino.pk})
    last = DrawStep.objects.filter(draw=draw).order_by("-step").first()
    newest = DrawStep.recorded.filter(draw=draw).aggregate(number=Max("step"))["number"]
    before = DrawState(last.after) if last else DrawState.SCHEDULED
    if (before, act) not in TRANSITIONS:
        raise DrawStateChanged
    if last and act is DrawAct.VALIDATED:
        require_other_person(actor, postponed=last.by_id, scheduled=draw.by_id)
    step = DrawStep(
        draw=draw,
        step=(newest or 0) + 1,
        act=act,
        before=before,
        after=TRANSITIONS[before, act],
        happened_at=happened_at,
        statement=statement,
        by=actor,
        recorded_at=now,
        **more,
    )
    return write_row(step, kind=KIND_BY_ACT[act], log=casino.slug, now=now)
