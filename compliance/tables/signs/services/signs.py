"""Makes a sign, records that it went up or down, and ends it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.web.local_time import format_local
from compliance.tables.signs.errors import SignEnded, SignNotUp, SignUpAlready, TimeNotPossible
from compliance.tables.signs.models import Showing, Sign, SignPurpose, SignSource
from compliance.tables.signs.permissions import SUPERVISORS, check_roles
from compliance.tables.signs.selectors import clock_of, last_refresh_of, lock_signs
from compliance.tables.signs.services.movements import RemovedSign, SignRaised, record_movements
from rounds.floor.models import Table

NAME_PREFIXES = {
    SignPurpose.LIMIT_CHANGE: "limits",
    SignPurpose.CLOSURE: "closing",
    SignPurpose.FINAL_CALL: "call",
    SignPurpose.PLAYER_LIMITS: "player",
}


def make_sign(
    *,
    table: Table,
    purpose: SignPurpose,
    content: Mapping[str, Any],
    notice_minutes: int,
    clause: str,
    actor: User,
    now: datetime,
    removal_restarts_the_clock: bool = True,
) -> Sign:
    """Called within the transaction of the announcement, whose entry names the sign. The sign counts as up only once
    that is reported."""
    name = f"{NAME_PREFIXES[purpose]}-{table.slug}-{now:%Y%m%d%H%M%S}"
    taken = Sign.objects.filter(casino=table.casino, name__startswith=name).count()
    return Sign.objects.create(
        casino=table.casino,
        table=table,
        name=f"{name}-{taken + 1}" if taken else name,
        purpose=purpose,
        content=dict(content),
        notice_minutes=notice_minutes,
        clause=clause,
        made_by_name=actor.name,
        made_at=now,
        removal_restarts_the_clock=removal_restarts_the_clock,
    )


@transaction.atomic
def confirm_sign(*, sign: Sign, shown_at: datetime, actor: User, now: datetime) -> Sign:
    """Records a supervisor's confirmation that the sign is up since `shown_at`, which must not be before it could have
    been."""
    check_roles(actor, sign.casino, SUPERVISORS)
    [sign] = lock_signs([sign.pk])
    if sign.ended_at is not None:
        raise SignEnded
    clock = clock_of(sign, now)
    if clock.is_up:
        raise SignUpAlready
    floor = max(filter(None, (sign.made_at, clock.last_known_up_at)))
    # Forms have minute precision: a time within the minute of `floor` means `floor`.
    shown_at = max(shown_at, floor) if shown_at >= floor.replace(second=0, microsecond=0) else shown_at
    if not floor <= shown_at <= now:
        since = format_local(floor, sign.casino)
        why = "It was not up before that." if shown_at < floor else "That time has not come yet."
        raise TimeNotPossible(f"The sign can be confirmed from {since} up to now. {why}")
    lost = [_removal_of_lost_sign(showing) for showing in sign.showings.ongoing()]
    record_movements([*lost, SignRaised(sign, shown_at, again=bool(clock.intervals), by=actor)], now)
    return sign


def _removal_of_lost_sign(showing: Showing) -> RemovedSign:
    """A silent display's loss is recorded before another source takes over."""
    return RemovedSign(showing, last_refresh_of(showing) or showing.since_at, is_lost=True)


@transaction.atomic
def take_down_sign(*, sign: Sign, actor: User, now: datetime) -> Sign:
    """Stops the clock of a sign. Whether it restarts or continues later depends on the rules."""
    check_roles(actor, sign.casino, SUPERVISORS)
    [sign] = lock_signs([sign.pk])
    showing = sign.showings.ongoing().first()
    if showing is None:
        raise SignNotUp
    record_movements([RemovedSign(showing, max(now, showing.since_at), is_lost=False, by=actor)], now)
    return sign


def end_sign(*, sign: Sign, now: datetime) -> None:
    """Called within the transaction of the act that makes the sign unnecessary. Records its removal if a display or
    person had it up; controllers report the removal themselves.
    """
    [sign] = lock_signs([sign.pk])
    if sign.ended_at is not None:
        return
    sign.ended_at = now
    sign.save(update_fields=["ended_at"])
    ended = []
    for showing in sign.showings.ongoing().exclude(source=SignSource.CONTROLLER):
        refreshed_at = last_refresh_of(showing)
        is_lost = clock_of(sign, now).silent_interval is not None
        ended.append(
            RemovedSign(showing, max(refreshed_at or now, showing.since_at) if is_lost else now, is_lost=is_lost)
        )
    record_movements(ended, now)
