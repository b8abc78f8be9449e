"""What the clock brings a notice: its sign up or down, in force at the time it states, or lapsed."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import User
from compliance.notices import kinds
from compliance.notices.errors import NotWaiting
from compliance.notices.models import LimitNotice, NoticeStep
from compliance.notices.planning import rule_for
from compliance.notices.states import State
from compliance.signs.faces import time_of_day
from compliance.signs.selectors import clock_of
from compliance.signs.services import end_sign
from rounds.floor.selectors import facts_at
from rounds.floor.services import state_announced_fact
from rounds.floor.values import StreakAmount
from rounds.ledger.read_only import read_only_logs
from rounds.ledger.rows import write_row

KINDS = {State.IN_FORCE: kinds.IN_FORCE, State.WITHDRAWN: kinds.WITHDRAWN, State.LAPSED: kinds.LAPSED}


def lock_notice(notice_id: int) -> LimitNotice:
    rows = LimitNotice.objects.with_all()
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=notice_id)


def advance_notices(*, now: datetime) -> int:
    """Every notice that waits, each in its own transaction: one that fails holds up no other."""
    recording = LimitNotice.objects.waiting().exclude(casino__slug__in=read_only_logs())
    waiting = recording.order_by("effective_at", "pk").values_list("pk", flat=True)
    return sum(advance_notice(notice_id=notice_id, now=now) for notice_id in list(waiting))


@transaction.atomic
def advance_notice(*, notice_id: int, now: datetime) -> bool:
    """Whether it moved. Its time decides by stored instants, so that a late turn changes nothing about the result."""
    notice = lock_notice(notice_id)
    if not notice.is_open:
        return False
    if now >= notice.effective_at:
        return _decide(notice, now)
    is_up = notice.sign is not None and clock_of(notice.sign, now).is_up
    return _become(notice, State.SIGN_UP if is_up else State.SCHEDULED)


def _decide(notice: LimitNotice, now: datetime) -> bool:
    if notice.sign is None:
        _decide_without_sign(notice, now)
        return True
    was_up = clock_of(notice.sign, now).was_up_before(notice.effective_at)
    if was_up is None:
        return False
    if was_up:
        bring_into_force(notice, now)
    else:
        lapse(notice, now)
    return True


def _decide_without_sign(notice: LimitNotice, now: datetime) -> None:
    """It raised nothing when it was scheduled. If it would by now, another change came between, and it has no sign."""
    rule = rule_for(notice.table, now, notice.effective_at)
    if not rule.needs_sign(notice.limits):
        bring_into_force(notice, now)
        return
    reason = (
        "Another change came before it, so this would have raised the minimum, which needs a sign "
        f"(clause {rule.clause}). The limits did not change."
    )
    end_notice(notice, State.LAPSED, at=notice.effective_at, now=now, reason=reason)


def bring_into_force(notice: LimitNotice, now: datetime) -> None:
    """The limits hold from the time that the sign stated, whoever noticed it when."""
    said = {"table": notice.table, "effective_at": notice.effective_at, "announced_by": notice.scheduled_by}
    note = f"Notice, entry {notice.entry_index}" + (f"; sign {notice.sign}" if notice.sign else "")
    held = facts_at(notice.table, notice.effective_at).get(StreakAmount)
    state_announced_fact(**said, value=notice.limits, note=note, now=now)  # type: ignore[arg-type]
    if notice.streak_cents is not None and (held is None or held.cents != notice.streak_cents):
        state_announced_fact(**said, value=StreakAmount(cents=notice.streak_cents), note=note, now=now)  # type: ignore[arg-type]
    end_notice(notice, State.IN_FORCE, at=notice.effective_at, now=now)


def lapse(notice: LimitNotice, now: datetime) -> None:
    assert notice.sign is not None
    reason = (
        f"The sign was not up {notice.sign.how_long} before "
        f"{time_of_day(notice.effective_at, notice.casino)} (clause {notice.clause}), so the limits did not change."
    )
    end_notice(notice, State.LAPSED, at=notice.effective_at, now=now, reason=reason)


def end_notice(
    notice: LimitNotice, state: State, *, at: datetime, now: datetime, actor: User | None = None, reason: str = ""
) -> None:
    """The sign is no longer wanted, the state is final, and the entry says so: a transaction's last statements."""
    if not _become(notice, state):
        raise NotWaiting
    if notice.sign is not None:
        end_sign(sign=notice.sign, now=now)
    step = NoticeStep(
        notice=notice, state=state, at=at, by=actor, by_name=actor.name if actor else "", reason=reason,
    )  # fmt: skip
    write_row(step, kind=KINDS[state], log=notice.casino.slug, table=notice.table.slug, now=now)


def _become(notice: LimitNotice, state: State) -> bool:
    if not notice.may_become(state):
        return False
    notice.state = state
    notice.save(update_fields=["state"])
    return True
