"""Limits for one player, and warnings about wagers under the minimum."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import User
from compliance.notices import kinds
from compliance.notices.errors import BadLimits, NotKnownHere, PlayerHasLimits, PlayerLimitEnded, TimeIsPast
from compliance.notices.models import PlayerLimit, UnderMinimumWarning
from compliance.signs.models import Purpose
from compliance.signs.services import end_sign, make_sign
from compliance.signs.standing import HOUSE, SUPERVISORS, require, require_word
from rounds.floor.gaming_days import gaming_day
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.ledger.appending import append, record
from rounds.ledger.rows import write_row


@transaction.atomic
def allow_player(
    *, table: Table, player: str, seat: int | None, min_cents: int, max_cents: int, actor: User, now: datetime
) -> PlayerLimit:
    """One player may wager beyond the table's maximum, once their own sign is up: before that it counts for nothing."""
    pack = pack_for(table, now)
    duty = pack.duties.player_limits if pack else None
    if duty is None:
        require(actor, table.casino, HOUSE)
        raise NotKnownHere("The rules of this table know no limits for one player.")
    require_word(actor, table, pack, duty.allowed_by, duty.clause)
    if max_cents < min_cents:
        raise BadLimits(f"The maximum is below the minimum (clause {duty.clause}).", field="max")
    if PlayerLimit.objects.filter(table=table, player=player, seat=seat, ended_at=None).exists():
        raise PlayerHasLimits
    content = {"min": min_cents, "max": max_cents}
    content |= {"player": player} if player else {}  # type: ignore[dict-item]
    content |= {"seat": seat} if seat else {}
    sign = make_sign(
        table=table, purpose=Purpose.PLAYER_LIMITS, content=content, notice_minutes=0, clause=duty.clause,
        actor=actor, now=now,
    )  # fmt: skip
    limit = PlayerLimit(
        casino=table.casino, table=table, player=player, seat=seat, min_cents=min_cents, max_cents=max_cents,
        sign=sign, allowed_by=actor, allowed_by_name=actor.name, allowed_at=now,
    )  # fmt: skip
    return write_row(limit, kind=kinds.PLAYER_LIMIT, log=table.casino.slug, table=table.slug, now=now)


@transaction.atomic
def end_player_limit(*, limit: PlayerLimit, actor: User, now: datetime) -> None:
    pack = pack_for(limit.table, now)
    duty = pack.duties.player_limits if pack else None
    require_word(actor, limit.table, pack, duty.allowed_by if duty else None, duty.clause if duty else "")
    if not PlayerLimit.objects.filter(pk=limit.pk, ended_at=None).update(ended_by=actor, ended_at=now):
        raise PlayerLimitEnded
    end_sign(sign=limit.sign, now=now)
    body = {"table": limit.table.slug, "player_limit": limit.entry_index, "by": actor.as_named()}
    append(limit.log, [record(kinds.PLAYER_LIMIT_ENDED, body, limit.table.slug)], now)


@transaction.atomic
def warn_player(
    *,
    table: Table,
    player: str,
    seat: int | None,
    warned_at: datetime,
    round_name: str = "",
    actor: User,
    now: datetime,
) -> UnderMinimumWarning:
    """A player was told; from then on, for that gaming day and table, wagers under the minimum go back."""
    require(actor, table.casino, SUPERVISORS)
    pack = pack_for(table, now)
    rule = pack.law.settlement.under_minimum if pack else None
    if rule is None or rule.settled != "once-then-returned":
        raise NotKnownHere("Under the rules of this table no warning is given for a wager under the minimum.")
    if warned_at > now:
        sentence = f"That time has not come yet: a warning is given before it is recorded (clause {rule.clause})."
        raise TimeIsPast(sentence, field="warned_at")
    warning = UnderMinimumWarning(
        casino=table.casino, table=table, player=player, seat=seat, gaming_day=gaming_day(table.casino, warned_at),
        warned_at=warned_at, round_name=round_name, warned_by=actor, warned_by_name=actor.name, recorded_at=now,
    )  # fmt: skip
    return write_row(warning, kind=kinds.WARNING, log=table.casino.slug, table=table.slug, now=now)
