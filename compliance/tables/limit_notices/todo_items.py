"""To-do items for announced limits: a notice that will lapse, one that is about to come into force."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.selectors import pending_notices_at
from compliance.tables.signs.presentation.table_hooks import TodoItem
from compliance.tables.signs.presentation.text import format_amount, relative_time, time_of_day
from compliance.tables.signs.selectors import clocks_of
from compliance.tables.signs.sign_clock import SignClock, next_whole_minute
from rounds.floor.models import Table


def notice_todo_items(tables: Sequence[Table], now: datetime) -> Iterator[TodoItem]:
    notices = pending_notices_at(tables)
    clocks = clocks_of([notice.sign for notice in notices if notice.sign], now)
    for notice in notices:
        yield _todo_item(notice, clocks[notice.sign.pk] if notice.sign else None, now)


def _todo_item(notice: LimitNotice, clock: SignClock | None, now: datetime) -> TodoItem:
    casino = notice.casino
    when, left = time_of_day(notice.effective_at, casino), relative_time(notice.effective_at, now)
    href = casino_url("notices:notice", casino, notice=notice.pk)
    label = f"Limits {format_amount(notice.min_cents)} to {format_amount(notice.max_cents)} from {when}"
    if clock is None:
        return TodoItem(notice.table, label, href, Tag("Scheduled", "info"), f"{left}. No sign is needed.")
    if not clock.can_be_in_time(notice.effective_at):
        earliest = time_of_day(next_whole_minute(clock.earliest_at), casino)
        hint = f"It will lapse at {when}. The earliest possible time is now {earliest} (clause {notice.clause})."
        return TodoItem(notice.table, label, href, Tag("Too late", "danger"), hint)
    if clock.is_up:
        return TodoItem(notice.table, label, href, Tag("Sign up", "info"), f"{left}, if the sign stays up.")
    return TodoItem(
        notice.table,
        label,
        href,
        Tag("Put the sign up", "warning"),
        f"It must be up by {_sign_deadline_text(notice, clock)}.",
    )


def _sign_deadline_text(notice: LimitNotice, clock: SignClock) -> str:
    return time_of_day(notice.effective_at - clock.notice, notice.casino)
