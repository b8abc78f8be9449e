"""Limits for one player, and warnings about wagers under the minimum."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.tables.limit_notices.errors import BadLimits, NotInRules, PlayerHasLimits, PlayerLimitEnded, TimeIsPast
from compliance.tables.limit_notices.models import PlayerLimit, UnderMinimumWarning
from compliance.tables.signs.models import SignPurpose
from compliance.tables.signs.permissions import DEFAULT_ROLES, SUPERVISORS, check_roles, check_rule_role
from compliance.tables.signs.services import end_sign, make_sign
from rounds.floor.facts.gaming_days import gaming_day
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.intake.entry_kinds import PLAYER_LIMIT, PLAYER_LIMIT_ENDED, UNDER_MINIMUM_WARNING
from rounds.ledger import append, make_entry, write_row


@transaction.atomic
def set_player_limit(
    *, table: Table, player: str, seat: int | None, min_cents: int, max_cents: int, actor: User, now: datetime
) -> PlayerLimit:
    """Allows one player to wager beyond the table's limits. It has no effect until the player's sign is up."""
    pack = pack_for(table, now)
    duty = pack.duties.player_limits if pack else None
    if duty is None:
        check_roles(actor, table.casino, DEFAULT_ROLES)
        raise NotInRules("The rules of this table know no limits for one player.")
    check_rule_role(actor, table, pack, duty.allowed_by, duty.clause)
    if max_cents < min_cents:
        raise BadLimits(f"The maximum is below the minimum (clause {duty.clause}).", field="max")
    if PlayerLimit.objects.filter(table=table, player=player, seat=seat, ended_at=None).exists():
        raise PlayerHasLimits
    content = {"min": min_cents, "max": max_cents}
    content |= {"player": player} if player else {}  # type: ignore[dict-item]
    content |= {"seat": seat} if seat else {}
    sign = make_sign(
        table=table,
        purpose=SignPurpose.PLAYER_LIMITS,
        content=content,
        notice_minutes=0,
        clause=duty.clause,
        actor=actor,
        now=now,
    )
    limit = PlayerLimit(
        casino=table.casino,
        table=table,
        player=player,
        seat=seat,
        min_cents=min_cents,
        max_cents=max_cents,
        sign=sign,
        allowed_by=actor,
        allowed_by_name=actor.name,
        allowed_at=now,
    )
    return write_row(limit, kind=PLAYER_LIMIT, log=table.casino.slug, table=table.slug, now=now)


@transaction.atomic
def end_player_limit(*, limit: PlayerLimit, actor: User, now: datetime) -> None:
    pack = pack_for(limit.table, now)
    duty = pack.duties.player_limits if pack else None
    check_rule_role(actor, limit.table, pack, duty.allowed_by if duty else None, duty.clause if duty else "")
    if not PlayerLimit.objects.filter(pk=limit.pk, ended_at=None).update(ended_by=actor, ended_at=now):
        raise PlayerLimitEnded
    end_sign(sign=limit.sign, now=now)
    body = {"table": limit.table.slug, "player_limit": limit.entry_index, "by": actor.as_entry_reference()}
    append(limit.log, [make_entry(PLAYER_LIMIT_ENDED, body, limit.table.slug)], now)


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
    """Records a warning. From then on, for that gaming day and table, the player's wagers under the minimum are
    returned."""
    check_roles(actor, table.casino, SUPERVISORS)
    pack = pack_for(table, now)
    rule = pack.law.settlement.under_minimum if pack else None
    if rule is None or rule.settled != "once-then-returned":
        raise NotInRules("Under the rules of this table no warning is given for a wager under the minimum.")
    if warned_at > now:
        sentence = f"That time has not come yet: a warning is given before it is recorded (clause {rule.clause})."
        raise TimeIsPast(sentence, field="warned_at")
    warning = UnderMinimumWarning(
        casino=table.casino,
        table=table,
        player=player,
        seat=seat,
        gaming_day=gaming_day(table.casino, warned_at),
        warned_at=warned_at,
        round_name=round_name,
        warned_by=actor,
        warned_by_name=actor.name,
        recorded_at=now,
    )
    return write_row(warning, kind=UNDER_MINIMUM_WARNING, log=table.casino.slug, table=table.slug, now=now)
