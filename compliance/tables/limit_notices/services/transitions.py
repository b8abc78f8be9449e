"""State changes of a notice over time: sign up or down, in force, lapsed."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.tables.limit_notices import entry_kinds
from compliance.tables.limit_notices.change_rules import limit_change_rule_for
from compliance.tables.limit_notices.errors import NoticeNotPending
from compliance.tables.limit_notices.models import LimitNotice, NoticeStep
from compliance.tables.limit_notices.states import NoticeState
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.services import end_sign
from rounds.floor.fact_values import StreakAmountValue
from rounds.floor.selectors import facts_at
from rounds.floor.services import record_announced_fact
from rounds.ledger import read_only_log_slugs, write_row

KIND_BY_STATE = {
    NoticeState.IN_FORCE: entry_kinds.IN_FORCE,
    NoticeState.WITHDRAWN: entry_kinds.WITHDRAWN,
    NoticeState.LAPSED: entry_kinds.LAPSED,
}


def lock_notice(notice_id: int) -> LimitNotice:
    rows = LimitNotice.objects.with_related()
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=notice_id)


def advance_notices(*, now: datetime) -> int:
    """Advances every pending notice in a transaction of its own, so that one failure does not block the others."""
    recording = LimitNotice.objects.pending().exclude(casino__slug__in=read_only_log_slugs())
    waiting = recording.order_by("effective_at", "pk").values_list("pk", flat=True)
    return sum(advance_notice(notice_id=notice_id, now=now) for notice_id in list(waiting))


@transaction.atomic
def advance_notice(*, notice_id: int, now: datetime) -> bool:
    """Returns whether the state changed. Decides by stored times, not by when it runs, so a late run has the same
    result."""
    notice = lock_notice(notice_id)
    if not notice.is_open:
        return False
    if now >= notice.effective_at:
        return _apply_or_lapse(notice, now)
    is_up = notice.sign is not None and clock_of(notice.sign, now).is_up
    return _change_state(notice, NoticeState.SIGN_UP if is_up else NoticeState.SCHEDULED)


def _apply_or_lapse(notice: LimitNotice, now: datetime) -> bool:
    if notice.sign is None:
        _apply_without_sign(notice, now)
        return True
    was_up = clock_of(notice.sign, now).was_up_before(notice.effective_at)
    if was_up is None:
        return False
    if was_up:
        bring_into_force(notice, now)
    else:
        lapse_notice(notice, now)
    return True


def _apply_without_sign(notice: LimitNotice, now: datetime) -> None:
    """A notice without a sign did not raise the minimum when it was scheduled. If another change since means that it
    now would, it lapses."""
    rule = limit_change_rule_for(notice.table, now, notice.effective_at)
    if not rule.needs_sign(notice.limits):
        bring_into_force(notice, now)
        return
    reason = (
        "Another change came before it, so this would have raised the minimum, which needs a sign "
        f"(clause {rule.clause}). The limits did not change."
    )
    end_notice(notice, NoticeState.LAPSED, at=notice.effective_at, now=now, reason=reason)


def bring_into_force(notice: LimitNotice, now: datetime) -> None:
    """Records the new limits as facts from the announced time, however late this runs."""
    announcement = {"table": notice.table, "effective_at": notice.effective_at, "announced_by": notice.scheduled_by}
    note = f"Notice, entry {notice.entry_index}" + (f"; sign {notice.sign}" if notice.sign else "")
    current_streak = facts_at(notice.table, notice.effective_at).get(StreakAmountValue)
    record_announced_fact(**announcement, value=notice.limits, note=note, now=now)  # type: ignore[arg-type]
    if notice.streak_cents is not None and (current_streak is None or current_streak.cents != notice.streak_cents):
        record_announced_fact(**announcement, value=StreakAmountValue(cents=notice.streak_cents), note=note, now=now)  # type: ignore[arg-type]
    end_notice(notice, NoticeState.IN_FORCE, at=notice.effective_at, now=now)


def lapse_notice(notice: LimitNotice, now: datetime) -> None:
    assert notice.sign is not None
    reason = (
        f"The sign was not up {notice.sign.notice_text} before "
        f"{time_of_day(notice.effective_at, notice.casino)} (clause {notice.clause}), so the limits did not change."
    )
    end_notice(notice, NoticeState.LAPSED, at=notice.effective_at, now=now, reason=reason)


def end_notice(
    notice: LimitNotice, state: NoticeState, *, at: datetime, now: datetime, actor: User | None = None, reason: str = ""
) -> None:
    """Sets the final state, ends the sign and appends the entry. Appending locks the log head, so it comes last in the
    transaction."""
    if not _change_state(notice, state):
        raise NoticeNotPending
    if notice.sign is not None:
        end_sign(sign=notice.sign, now=now)
    step = NoticeStep(
        notice=notice,
        state=state,
        at=at,
        by=actor,
        by_name=actor.name if actor else "",
        reason=reason,
    )
    write_row(step, kind=KIND_BY_STATE[state], log=notice.casino.slug, table=notice.table.slug, now=now)


def _change_state(notice: LimitNotice, state: NoticeState) -> bool:
    if not notice.may_become(state):
        return False
    notice.state = state
    notice.save(update_fields=["state"])
    return True
