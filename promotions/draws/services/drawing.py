"""Scheduling a draw, holding it, stopping it when its integrity is in doubt, and validating it again."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from compliance.accounts.models import User
from compliance.accounts.services.roles import lock_casinos
from promotions.draws.kinds import OF_ACT, SCHEDULED
from promotions.draws.models import Draw, DrawStep
from promotions.draws.states import FOLLOWS, Act, State
from promotions.errors import NotInThisState
from promotions.integrity import tell_inspectorate
from promotions.standing import MAY_WRITE, require
from promotions.terms.models import Promotion
from rounds.ledger.rows import write_row


@transaction.atomic
def schedule_draw(
    *, promotion: Promotion, scheduled_at: datetime, place: str, method: str, actor: User, now: datetime
) -> Draw:
    require(actor, promotion.casino, MAY_WRITE)
    lock_casinos({promotion.casino_id})
    last = Draw.objects.filter(promotion=promotion).aggregate(last=Max("number"))["last"]
    draw = Draw(
        promotion=promotion, number=(last or 0) + 1, scheduled_at=scheduled_at, place=place, method=method, by=actor,
        at=now,
    )  # fmt: skip
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
    """A draw without the scrutineer it needed is recorded like any other, and flagged by the audit."""
    particulars = {
        "place": place,
        "method": method,
        "entries": entries,
        "scrutineer": scrutineer,
        "scrutineer_confirmed": bool(scrutineer) and is_confirmed,
    }
    return _step(draw, Act.HELD, held_at, result, actor, now, particulars=particulars)


@transaction.atomic
def stop_draw(*, draw: Draw, act: Act, determined_at: datetime, reason: str, actor: User, now: datetime) -> DrawStep:
    """The integrity is in doubt: postponed until validated, or cancelled. The inspectorate is told at once."""
    tell_inspectorate(
        casino=draw.promotion.casino, what=draw.reference, became=act.label.lower(), determined_at=determined_at,
        actor=actor, now=now,
    )  # fmt: skip
    return _step(draw, act, determined_at, reason, actor, now)


@transaction.atomic
def validate_draw(*, draw: Draw, how: str, scheduled_at: datetime, actor: User, now: datetime) -> DrawStep:
    return _step(draw, Act.VALIDATED, now, how, actor, now, scheduled_at=scheduled_at)


def _step(
    draw: Draw, act: Act, happened_at: datetime, statement: str, actor: User, now: datetime, **more: Any
) -> DrawStep:
    casino = draw.promotion.casino
    require(actor, casino, MAY_WRITE)
    lock_casinos({casino.pk})
    last = DrawStep.objects.filter(draw=draw).order_by("-step").first()
    before = State(last.after) if last else State.SCHEDULED
    if (before, act) not in FOLLOWS:
        raise NotInThisState
    step = DrawStep(
        draw=draw, step=last.step + 1 if last else 1, act=act, before=before, after=FOLLOWS[before, act],
        happened_at=happened_at, statement=statement, by=actor, recorded_at=now, **more,
    )  # fmt: skip
    return write_row(step, kind=OF_ACT[act], log=casino.slug, now=now)
