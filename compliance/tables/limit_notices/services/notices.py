"""Schedules and withdraws changes of limits."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.web.jobs.wake import wake
from compliance.tables.limit_notices import entry_kinds
from compliance.tables.limit_notices.change_rules import LimitChangeRule, check_limits, limit_change_rule_for
from compliance.tables.limit_notices.errors import (
    NothingChanges,
    RaiseAlreadyPending,
    TimeAlreadyUsed,
    TimeIsPast,
    TooSoon,
)
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.services.transitions import bring_into_force, end_notice, lock_notice
from compliance.tables.limit_notices.states import NoticeState
from compliance.tables.signs.models import Sign, SignPurpose
from compliance.tables.signs.permissions import check_rule_role
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.services import make_sign
from rounds.floor.fact_values import LimitsValue, value_as_dict
from rounds.floor.models import Table
from rounds.ledger import encode_timestamp, write_row

ADVANCE_TASK = "compliance.tables.limit_notices.tasks.advance_notices"


@transaction.atomic
def schedule_notice(
    *,
    table: Table,
    limits: LimitsValue,
    streak_cents: int | None = None,
    effective_at: datetime | None = None,
    note: str = "",
    actor: User,
    now: datetime,
) -> LimitNotice:
    """Announces a change. Without `effective_at` it applies at once, or as soon as the rules allow when a sign is
    required first."""
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("casino").get(pk=table.pk)
    rule = limit_change_rule_for(table, now, effective_at)
    check_rule_role(actor, table, rule.pack, rule.changed_by, rule.clause)
    check_limits(rule, limits, streak_cents, effective_at or now)
    if rule.before == limits and streak_cents in (None, rule.streak_cents):
        raise NothingChanges
    needs_sign = rule.needs_sign(limits)
    at = effective_at or (rule.suggested_at if needs_sign else now)
    _check_time(rule, at, needs_sign=needs_sign)
    at = max(at, now)
    _check_conflicts(table, at, needs_sign=needs_sign)
    notice = LimitNotice(
        casino=table.casino,
        table=table,
        min_cents=limits.min,
        max_cents=limits.max,
        multiples=limits.multiples,
        unit_cents=limits.unit,
        by_bet=value_as_dict(limits).get("by_bet", {}),
        streak_cents=streak_cents,
        effective_at=at,
        clause=rule.clause if needs_sign else "",
        note=note,
        sign=_make_sign(rule, limits, at, actor) if needs_sign else None,
        scheduled_by=actor,
        scheduled_by_name=actor.name,
        scheduled_at=now,
    )
    write_row(notice, kind=entry_kinds.NOTICE, log=table.casino.slug, table=table.slug, now=now)
    if at <= now:
        bring_into_force(notice, now)
    wake(ADVANCE_TASK)
    return notice


def _check_time(rule: LimitChangeRule, at: datetime, *, needs_sign: bool) -> None:
    casino, now = rule.table.casino, rule.now
    # Forms have minute precision, so a time within the current minute is not in the past.
    is_past = at < now.replace(second=0, microsecond=0)
    earliest = time_of_day(rule.earliest_at, casino)
    if is_past and not needs_sign:
        raise TimeIsPast(f"That time has passed. The earliest possible time is now, {time_of_day(now, casino)}.")
    if is_past:
        raise TimeIsPast(f"That time has passed. The earliest possible time is {earliest} (clause {rule.clause}).")
    if needs_sign and at < now + rule.notice:
        raise TooSoon(
            f"A higher minimum takes effect at least {rule.notice.seconds // 60} minutes after its sign is up "
            f"(clause {rule.clause}). The earliest possible time is {earliest}."
        )


def _check_conflicts(table: Table, at: datetime, *, needs_sign: bool) -> None:
    waiting = LimitNotice.objects.pending().filter(table=table)
    when = time_of_day(at, table.casino)
    if waiting.filter(effective_at=at).exists():
        raise TimeAlreadyUsed(
            f"Another change at {table} is announced for {when}. Choose another time, or withdraw it."
        )
    other = waiting.exclude(sign=None).first()
    if needs_sign and other is not None:
        stated = time_of_day(other.effective_at, table.casino)
        raise RaiseAlreadyPending(
            f"A higher minimum is announced at {table} for {stated} already, and one sign states one change "
            f"(clause {other.clause}). Withdraw it first."
        )


def _make_sign(rule: LimitChangeRule, limits: LimitsValue, at: datetime, actor: User) -> Sign:
    assert rule.duty is not None
    content = {"min": limits.min, "max": limits.max, "change_at": encode_timestamp(at)}
    content |= {"by_bet": value_as_dict(limits)["by_bet"]} if limits.limits_by_bet else {}
    return make_sign(
        table=rule.table,
        purpose=SignPurpose.LIMIT_CHANGE,
        content=content,
        notice_minutes=rule.duty.notice_minutes,
        clause=rule.duty.clause,
        actor=actor,
        now=rule.now,
        removal_restarts_the_clock=rule.duty.removal_restarts_the_clock,
    )


@transaction.atomic
def withdraw_notice(*, notice: LimitNotice, reason: str, actor: User, now: datetime) -> LimitNotice:
    """Withdraws a pending change. The limits stay as they are and the sign comes down."""
    notice = lock_notice(notice.pk)
    rule = limit_change_rule_for(notice.table, now)
    check_rule_role(actor, notice.table, rule.pack, rule.changed_by, rule.clause)
    end_notice(notice, NoticeState.WITHDRAWN, at=now, now=now, actor=actor, reason=reason)
    return notice
