"""Every act of closing a table, and of opening it again."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from compliance.accounts.models import User
from compliance.alerts.services import raise_alert
from compliance.closures import kinds
from compliance.closures.errors import (
    AnnouncedAlready,
    ClosedAlready,
    ClosingTimePast,
    ClosingTooSoon,
    HeldByStreaks,
    NoSuchStep,
    NotClosed,
    NotYet,
)
from compliance.closures.models import Closure, ClosureStep
from compliance.closures.planning import Rule, rule_for
from compliance.closures.play import is_closed, running_streaks
from compliance.closures.selectors import TOLD_OF_CLOSING, told_when
from compliance.closures.states import State
from compliance.signs.clock import next_whole_minute
from compliance.signs.faces import time_of_day
from compliance.signs.models import Purpose, Sign
from compliance.signs.selectors import clock_of
from compliance.signs.services import end_sign, make_sign
from compliance.signs.services.moving import line_of
from compliance.signs.standing import require_word
from rounds.floor.gaming_days import gaming_day
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at
from rounds.floor.values import Limits, plain
from rounds.ledger.appending import append, record
from rounds.ledger.leaves import write_instant
from rounds.ledger.rows import write_row


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
    """Without a time: as soon as the rules allow. Whoever must be told before is told in the same transaction."""
    table, rule = _locked(table), rule_for(table, now)
    require_word(actor, table, rule.pack, rule.closed_by, rule.clause)
    _check_open(table)
    notice = rule.notice(players_present=players_present, streak_in_progress=streak_in_progress)
    at = closes_at or (rule.suggested_at if notice else now)
    _check_time(rule, at, notice)
    at = max(at, now)
    minutes = notice.seconds // 60
    sign = _make_sign(rule, Purpose.CLOSURE, {"closure_at": write_instant(at)}, minutes, rule.clause, actor)
    needs_call = rule.needs_final_call(streak_in_progress=streak_in_progress)
    call_clause = rule.streaks.clause if rule.streaks else ""
    call = _make_sign(rule, Purpose.FINAL_CALL, {}, 0, call_clause, actor) if needs_call else None
    closure = Closure(
        casino=table.casino, table=table, closes_at=at, players_present=players_present,
        streak_in_progress=streak_in_progress, reason=reason, sign=sign if notice else None, call=call,
        clause=rule.clause if notice else "", state=State.ANNOUNCED,
    )  # fmt: skip
    return _write(closure, rule, actor, now)


def _locked(table: Table) -> Table:
    return Table.objects.select_for_update(no_key=True, of=("self",)).select_related("casino").get(pk=table.pk)


def _check_open(table: Table) -> None:
    if is_closed(table):
        raise ClosedAlready(f"{table} is closed already.")
    other = Closure.objects.filter(table=table, state=State.ANNOUNCED).first()
    if other is not None:
        when = time_of_day(other.closes_at, table.casino)
        raise AnnouncedAlready(f"The closing of {table} is announced for {when} already. Withdraw it first.")


def _check_time(rule: Rule, at: datetime, notice: timedelta) -> None:
    now, casino = rule.now, rule.table.casino
    earliest = time_of_day(next_whole_minute(now + notice) if notice else now, casino)
    clause = f" (clause {rule.clause})" if notice else ""
    # Forms know whole minutes: the minute that is running is not past.
    if at < now.replace(second=0, microsecond=0):
        raise ClosingTimePast(f"That time has passed. The earliest possible time is {earliest}{clause}.")
    if at < now + notice:
        raise ClosingTooSoon(
            f"The table closes at least {notice.seconds // 60} minutes after its sign is up{clause}. The earliest "
            f"possible time is {earliest}."
        )


def _make_sign(
    rule: Rule, purpose: Purpose, content: dict[str, Any], minutes: int, clause: str, actor: User
) -> Sign | None:
    if purpose == Purpose.CLOSURE and not minutes:
        return None
    return make_sign(
        table=rule.table, purpose=purpose, content=content, notice_minutes=minutes, clause=clause, actor=actor,
        now=rule.now,
        removal_restarts_the_clock=rule.sign.removal_restarts_the_clock if rule.sign else True,
    )  # fmt: skip


def _write(closure: Closure, rule: Rule, actor: User, now: datetime) -> Closure:
    """Telling whoever must be told comes first, so that the closing can say since when; then its own entry and row."""
    if rule.notification is not None:
        _tell(closure, rule, actor, now)
    closure.announced_by, closure.announced_by_name, closure.announced_at = actor, actor.name, now
    return write_row(closure, kind=kinds.CLOSURE, log=closure.casino.slug, table=closure.table.slug, now=now)


def _tell(closure: Closure, rule: Rule, actor: User, now: datetime) -> None:
    assert rule.notification is not None
    when = time_of_day(closure.closes_at, closure.casino)
    how = "was closed in an emergency" if closure.is_emergency else f"is to close at {when}"
    raise_alert(
        casino=closure.casino, duty=TOLD_OF_CLOSING, to=rule.told, statement=f"{closure.table} {how}.",
        clause=rule.notification.clause, now=now, actor=actor, table=closure.table.slug, immediately=False,
    )  # fmt: skip
    closure.told_at, closure.told = now, rule.told[0].value if rule.told else ""


@transaction.atomic
def close_table(*, closure: Closure, actor: User, now: datetime) -> Closure:
    """The announced time has come, its sign was up long enough, and no streak wager runs any more."""
    closure = _locked_closure(closure)
    rule = rule_for(closure.table, now)
    require_word(actor, closure.table, rule.pack, rule.closed_by, rule.clause)
    if not closure.may_become(State.CLOSED):
        raise NoSuchStep
    _check_may_close(closure, rule, now)
    return _close(closure, rule, actor, now)


def _check_may_close(closure: Closure, rule: Rule, now: datetime) -> None:
    casino = closure.casino
    if now < closure.closes_at:
        raise NotYet(f"The sign says {time_of_day(closure.closes_at, casino)}. It cannot close before that.")
    if closure.sign is not None:
        clock = clock_of(closure.sign, now)
        if clock.since_at is None or clock.earliest_at > now:
            earliest = time_of_day(next_whole_minute(clock.earliest_at), casino)
            raise NotYet(
                f"The sign has not been up {closure.sign.how_long} (clause "
                f"{closure.clause}). The earliest possible time is {earliest}."
            )
    if rule.notification is not None and told_when([closure])[closure.pk] is None:
        raise NotYet(
            f"The {rule.notification.told} has not been told yet (clause {rule.notification.clause}): the e-mail has "
            "not gone out, and nobody acknowledged it."
        )
    # What the log says counts, whatever was declared when the closing was announced.
    running = running_streaks(closure.table) if rule.streaks is not None else []
    if running and rule.streaks is not None:
        number = "A Super Streak wager is" if len(running) == 1 else f"{len(running)} Super Streak wagers are"
        raise HeldByStreaks(
            f"{number} still running. They stay until they are determined (clause {rule.streaks.clause}); the table "
            "closes after the round that ends the last of them."
        )


def _close(closure: Closure, rule: Rule, actor: User, now: datetime) -> Closure:
    body: dict[str, Any] = {
        "gaming_day": gaming_day(closure.casino, now).isoformat(),
        "players_present": closure.players_present,
        "streak_in_progress": closure.streak_in_progress,
    }
    body |= {"sign": closure.sign.name} if closure.sign else {}
    told_at = told_when([closure])[closure.pk]
    if told_at is not None:
        body["told"] = [{"position": closure.told, "at": write_instant(told_at)}]
    step(closure, State.CLOSED, at=now, now=now, actor=actor, reason=closure.reason, line=(kinds.CLOSED, body))
    # After it, so that the log has the sign still up when the table closes.
    for sign in filter(None, (closure.sign, closure.call)):
        end_sign(sign=sign, now=now)
    return closure


@transaction.atomic
def close_in_emergency(
    *, table: Table, players_present: bool, streak_in_progress: bool, reason: str, actor: User, now: datetime
) -> Closure:
    """At once, whatever the rules ask before: recorded as what it is, with the reason; the audit will say so."""
    table, rule = _locked(table), rule_for(table, now)
    require_word(actor, table, rule.pack, rule.closed_by, rule.clause)
    if is_closed(table):
        raise ClosedAlready(f"{table} is closed already.")
    announced = Closure.objects.filter(table=table, state=State.ANNOUNCED).first()
    if announced is not None:
        withdraw_closure(closure=announced, reason=f"Closed in an emergency: {reason}"[:500], actor=actor, now=now)
    closure = Closure(
        casino=table.casino, table=table, closes_at=now, players_present=players_present,
        streak_in_progress=streak_in_progress, is_emergency=True, reason=reason, state=State.ANNOUNCED,
    )  # fmt: skip
    return _close(_write(closure, rule, actor, now), rule, actor, now)


@transaction.atomic
def withdraw_closure(*, closure: Closure, reason: str, actor: User, now: datetime) -> Closure:
    """The table stays open, and its signs come down."""
    closure = _locked_closure(closure)
    rule = rule_for(closure.table, now)
    require_word(actor, closure.table, rule.pack, rule.closed_by, rule.clause)
    if not closure.may_become(State.WITHDRAWN):
        raise NoSuchStep
    for sign in filter(None, (closure.sign, closure.call)):
        end_sign(sign=sign, now=now)
    return step(closure, State.WITHDRAWN, at=now, now=now, actor=actor, reason=reason)


@transaction.atomic
def reopen_table(*, table: Table, actor: User, now: datetime) -> Closure | None:
    """Play may begin, and streak wagers with it. What closed it is over; None if its controller had closed it."""
    table, rule = _locked(table), rule_for(table, now)
    require_word(actor, table, rule.pack, rule.closed_by, rule.clause)
    if not is_closed(table):
        raise NotClosed
    limits = facts_at(table, now).get(Limits)
    body: dict[str, Any] = {"gaming_day": gaming_day(table.casino, now).isoformat()}
    body |= {"limits": plain(limits)} if limits else {}
    closure = Closure.objects.filter(table=table, state=State.CLOSED).first()
    if closure is None:
        append(table.casino.slug, [_line(table, (kinds.OPENED, body), now, actor)], now)
        return None
    closure = _locked_closure(closure)
    return step(closure, State.REOPENED, at=now, now=now, actor=actor, line=(kinds.OPENED, body))


def _locked_closure(closure: Closure) -> Closure:
    rows = Closure.objects.select_related("casino", "table__casino", "sign", "call")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=closure.pk)


def _line(table: Table, line: tuple[str, dict[str, Any]], at: datetime, actor: User) -> Any:
    kind, body = line
    return line_of(kind, table.slug, at, body, {"how": "person", "by": actor.as_named()})


def step(
    closure: Closure,
    state: State,
    *,
    at: datetime,
    now: datetime,
    actor: User | None = None,
    by_name: str = "",
    reason: str = "",
    line: tuple[str, dict[str, Any]] | None = None,
) -> Closure:
    """The state, what a controller would have said of it, and the step's own entry: a transaction's last statements."""
    closure.state = state
    closure.save(update_fields=["state"])
    taken = ClosureStep(
        closure=closure, state=state, at=at, by=actor, by_name=actor.name if actor else by_name, reason=reason,
        log=closure.casino.slug,
    )  # fmt: skip
    entries = [_line(closure.table, line, at, actor)] if line and actor else []
    entries.append(record(kinds.CLOSURE_ENDED, taken.as_record(), closure.table.slug))
    taken.entry_index = append(taken.log, entries, now)[-1].index
    taken.save(force_insert=True)
    return closure
