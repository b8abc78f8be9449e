"""Services that close a table and open it again."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.notify.alerts.services import raise_alert
from compliance.tables.closures import entry_kinds
from compliance.tables.closures.closing_rules import ClosingRule, closing_rule_for
from compliance.tables.closures.errors import (
    AnnouncedAlready,
    ClosedAlready,
    ClosingNotDue,
    ClosingTimePast,
    ClosingTooSoon,
    NotClosed,
    StreaksStillRunning,
    TransitionNotAllowed,
)
from compliance.tables.closures.models import Closure, ClosureStep
from compliance.tables.closures.selectors import CLOSING_ALERT_DUTY, notification_times
from compliance.tables.closures.states import ClosureState
from compliance.tables.closures.table_activity import is_closed, open_streak_wagers
from compliance.tables.signs.models import Sign, SignPurpose
from compliance.tables.signs.permissions import check_rule_role
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.services import end_sign, make_sign
from compliance.tables.signs.services.movements import build_line_entry
from compliance.tables.signs.sign_clock import next_whole_minute
from rounds.floor.fact_values import LimitsValue, value_as_dict
from rounds.floor.facts.gaming_days import gaming_day
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at
from rounds.intake.entry_kinds import TABLE_CLOSED, TABLE_OPENED
from rounds.ledger import append, encode_timestamp, make_entry, write_row

# Of the announcement; the closing states the reason.
CLOSED_IN_EMERGENCY = "Closed in an emergency."


@transaction.atomic
def announce_closure(
    *,
    table: Table,
    closes_at: datetime | None,
    players_present: bool,
    streak_in_progress: bool,
    reason: str = "",
    actor: User,
    now: datetime,
) -> Closure:
    """Announces a closing; without `closes_at`, at the earliest time the rules allow. Raises the required alert in the
    same transaction."""
    table, rule = _lock_table(table), closing_rule_for(table, now)
    check_rule_role(actor, table, rule.pack, rule.closed_by, rule.clause)
    _check_open(table)
    streak_in_progress = streak_in_progress or rule.has_open_streaks
    notice = rule.notice(players_present=players_present, streak_in_progress=streak_in_progress)
    at = closes_at or (rule.suggested_at if notice else now)
    _check_time(rule, at, notice)
    at = max(at, now)
    minutes = notice.seconds // 60
    sign = _make_sign(rule, SignPurpose.CLOSURE, {"closure_at": encode_timestamp(at)}, minutes, rule.clause, actor)
    needs_call = rule.needs_final_call(notice)
    call_clause = rule.streaks.clause if rule.streaks else ""
    call = _make_sign(rule, SignPurpose.FINAL_CALL, {}, 0, call_clause, actor) if needs_call else None
    closure = Closure(
        casino=table.casino,
        table=table,
        closes_at=at,
        players_present=players_present,
        streak_in_progress=streak_in_progress,
        reason=reason,
        sign=sign if notice else None,
        call=call,
        clause=rule.clause if notice else "",
        state=ClosureState.ANNOUNCED,
    )
    return _record_closure(closure, rule, actor, now)


def _lock_table(table: Table) -> Table:
    return Table.objects.select_for_update(no_key=True, of=("self",)).select_related("casino").get(pk=table.pk)


def _check_open(table: Table) -> None:
    if is_closed(table):
        raise ClosedAlready(f"{table} is closed already.")
    other = Closure.objects.filter(table=table, state=ClosureState.ANNOUNCED).first()
    if other is not None:
        when = time_of_day(other.closes_at, table.casino)
        raise AnnouncedAlready(f"The closing of {table} is announced for {when} already. Withdraw it first.")


def _check_time(rule: ClosingRule, at: datetime, notice: timedelta) -> None:
    now, casino = rule.now, rule.table.casino
    earliest = time_of_day(next_whole_minute(now + notice) if notice else now, casino)
    clause = f" (clause {rule.clause})" if notice else ""
    # Forms have minute precision, so a time within the current minute is not in the past.
    if at < now.replace(second=0, microsecond=0):
        raise ClosingTimePast(f"That time has passed. The earliest possible time is {earliest}{clause}.")
    if at < now + notice:
        raise ClosingTooSoon(
            f"The table closes at least {notice.seconds // 60} minutes after its sign is up{clause}. The earliest "
            f"possible time is {earliest}."
        )


def _make_sign(
    rule: ClosingRule, purpose: SignPurpose, content: dict[str, Any], minutes: int, clause: str, actor: User
) -> Sign | None:
    if purpose == SignPurpose.CLOSURE and not minutes:
        return None
    return make_sign(
        table=rule.table,
        purpose=purpose,
        content=content,
        notice_minutes=minutes,
        clause=clause,
        actor=actor,
        now=rule.now,
        removal_restarts_the_clock=rule.sign.removal_restarts_the_clock if rule.sign else True,
    )


def _record_closure(closure: Closure, rule: ClosingRule, actor: User, now: datetime) -> Closure:
    """Raises the alert first, because the closure's entry states when it was raised. Then appends the entry and its
    row."""
    if rule.notification is not None:
        _raise_closing_alert(closure, rule, actor, now)
    closure.announced_by, closure.announced_by_name, closure.announced_at = actor, actor.name, now
    return write_row(closure, kind=entry_kinds.CLOSURE, log=closure.casino.slug, table=closure.table.slug, now=now)


def _raise_closing_alert(closure: Closure, rule: ClosingRule, actor: User, now: datetime) -> None:
    assert rule.notification is not None
    when = time_of_day(closure.closes_at, closure.casino)
    how = "was closed in an emergency" if closure.is_emergency else f"is to close at {when}"
    raise_alert(
        casino=closure.casino,
        duty=CLOSING_ALERT_DUTY,
        to=rule.roles_to_notify,
        statement=f"{closure.table} {how}.",
        clause=rule.notification.clause,
        now=now,
        actor=actor,
        table=closure.table.slug,
        immediately=False,
    )
    closure.told_at, closure.told = now, rule.roles_to_notify[0].value if rule.roles_to_notify else ""


@transaction.atomic
def close_table(*, closure: Closure, actor: User, now: datetime) -> Closure:
    """Closes a table as announced. Requires that the time has come, the sign was up long enough and no streak wager is
    open."""
    closure = lock_closure(closure)
    rule = closing_rule_for(closure.table, now)
    check_rule_role(actor, closure.table, rule.pack, rule.closed_by, rule.clause)
    if not closure.may_become(ClosureState.CLOSED):
        raise TransitionNotAllowed
    _check_may_close(closure, rule, now)
    return _carry_out_closure(closure, rule, actor, now)


def _check_may_close(closure: Closure, rule: ClosingRule, now: datetime) -> None:
    casino = closure.casino
    if now < closure.closes_at:
        raise ClosingNotDue(f"The sign says {time_of_day(closure.closes_at, casino)}. It cannot close before that.")
    if closure.sign is not None:
        clock = clock_of(closure.sign, now)
        if not clock.is_notice_complete:
            earliest = time_of_day(next_whole_minute(clock.earliest_at), casino)
            raise ClosingNotDue(
                f"The sign has not been up {closure.sign.notice_text} (clause "
                f"{closure.clause}). The earliest possible time is {earliest}."
            )
    if rule.notification is not None and notification_times([closure])[closure.pk] is None:
        raise ClosingNotDue(
            f"The {rule.notification.told} has not been notified yet (clause {rule.notification.clause}): the e-mail "
            "has not gone out, and nobody acknowledged it."
        )
    # The log decides whether streak wagers are open, not the declaration made when the closing was announced.
    running = open_streak_wagers(closure.table) if rule.streaks is not None else []
    if running and rule.streaks is not None:
        number = "A Super Streak wager is" if len(running) == 1 else f"{len(running)} Super Streak wagers are"
        raise StreaksStillRunning(
            f"{number} still running. They stay until they are determined (clause {rule.streaks.clause}); the table "
            "closes after the round that ends the last of them."
        )


def _carry_out_closure(closure: Closure, rule: ClosingRule, actor: User, now: datetime) -> Closure:
    body: dict[str, Any] = {
        "gaming_day": gaming_day(closure.casino, now).isoformat(),
        "players_present": closure.players_present,
        "streak_in_progress": closure.streak_in_progress,
    }
    body |= {"sign": closure.sign.name} if closure.sign else {}
    told_at = notification_times([closure])[closure.pk]
    if told_at is not None:
        body["told"] = [{"position": closure.told, "at": encode_timestamp(told_at)}]
    record_step(
        closure,
        ClosureState.CLOSED,
        at=now,
        now=now,
        actor=actor,
        reason=closure.reason,
        line=(TABLE_CLOSED, body),
    )
    # The sign ends after the closing, so that in the log it is still up when the table closes.
    for sign in filter(None, (closure.sign, closure.call)):
        end_sign(sign=sign, now=now)
    return closure


@transaction.atomic
def close_in_emergency(
    *, table: Table, players_present: bool, streak_in_progress: bool, reason: str, actor: User, now: datetime
) -> Closure:
    """Closes a table at once, without the required notice. Recorded as an emergency with its reason; the audit still
    raises a finding."""
    table, rule = _lock_table(table), closing_rule_for(table, now)
    check_rule_role(actor, table, rule.pack, rule.closed_by, rule.clause)
    if is_closed(table):
        raise ClosedAlready(f"{table} is closed already.")
    announced = Closure.objects.filter(table=table, state=ClosureState.ANNOUNCED).first()
    if announced is not None:
        withdraw_closure(closure=announced, reason=CLOSED_IN_EMERGENCY, actor=actor, now=now)
    closure = Closure(
        casino=table.casino,
        table=table,
        closes_at=now,
        players_present=players_present,
        streak_in_progress=streak_in_progress or rule.has_open_streaks,
        is_emergency=True,
        reason=reason,
        state=ClosureState.ANNOUNCED,
    )
    return _carry_out_closure(_record_closure(closure, rule, actor, now), rule, actor, now)


@transaction.atomic
def withdraw_closure(*, closure: Closure, reason: str, actor: User, now: datetime) -> Closure:
    """Withdraws an announced closing. The table stays open and its signs come down."""
    closure = lock_closure(closure)
    rule = closing_rule_for(closure.table, now)
    check_rule_role(actor, closure.table, rule.pack, rule.closed_by, rule.clause)
    if not closure.may_become(ClosureState.WITHDRAWN):
        raise TransitionNotAllowed
    for sign in filter(None, (closure.sign, closure.call)):
        end_sign(sign=sign, now=now)
    return record_step(closure, ClosureState.WITHDRAWN, at=now, now=now, actor=actor, reason=reason)


@transaction.atomic
def reopen_table(*, table: Table, actor: User, now: datetime) -> Closure | None:
    """Opens a closed table. Ends the closure that closed it; returns None when a controller closed it without one."""
    table, rule = _lock_table(table), closing_rule_for(table, now)
    check_rule_role(actor, table, rule.pack, rule.closed_by, rule.clause)
    if not is_closed(table):
        raise NotClosed
    limits = facts_at(table, now).get(LimitsValue)
    body: dict[str, Any] = {"gaming_day": gaming_day(table.casino, now).isoformat()}
    body |= {"limits": value_as_dict(limits)} if limits else {}
    closure = Closure.objects.filter(table=table, state=ClosureState.CLOSED).first()
    if closure is None:
        append(table.casino.slug, [_manual_line(table, (TABLE_OPENED, body), now, actor)], now)
        return None
    closure = lock_closure(closure)
    return record_step(closure, ClosureState.REOPENED, at=now, now=now, actor=actor, line=(TABLE_OPENED, body))


def lock_closure(closure: Closure) -> Closure:
    rows = Closure.objects.select_related("casino", "table__casino", "sign", "call")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=closure.pk)


def _manual_line(table: Table, line: tuple[str, dict[str, Any]], at: datetime, actor: User) -> Any:
    kind, body = line
    return build_line_entry(kind, table.slug, at, body, {"how": "person", "by": actor.as_entry_reference()})


def record_step(
    closure: Closure,
    state: ClosureState,
    *,
    at: datetime,
    now: datetime,
    actor: User | None = None,
    by_name: str = "",
    reason: str = "",
    line: tuple[str, dict[str, Any]] | None = None,
) -> Closure:
    """Saves the new state, then appends the manual line (if any) and the step's entry. Appending locks the log head, so
    it comes last in the transaction."""
    closure.state = state
    closure.save(update_fields=["state"])
    taken = ClosureStep(
        closure=closure,
        state=state,
        at=at,
        by=actor,
        by_name=actor.name if actor else by_name,
        reason=reason,
        log=closure.casino.slug,
    )
    entries = [_manual_line(closure.table, line, at, actor)] if line and actor else []
    entries.append(make_entry(entry_kinds.CLOSURE_ENDED, taken.entry_body(), closure.table.slug))
    taken.entry_index = append(taken.log, entries, now)[-1].index
    taken.save(force_insert=True)
    return closure
