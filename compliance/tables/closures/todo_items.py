"""To-do items for tables that are about to close, and what the display of a closed table shows."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.links import casino_url
from compliance.tables.closures.models import Closure
from compliance.tables.closures.selectors import announced_closures, closure_in_effect, notification_times
from compliance.tables.closures.table_activity import open_streak_wagers
from compliance.tables.signs.presentation.table_hooks import TodoItem
from compliance.tables.signs.presentation.text import SignFact, relative_time, time_of_day
from compliance.tables.signs.selectors import clocks_of
from compliance.tables.signs.sign_clock import SignClock, next_whole_minute
from rounds.floor.models import Table


def closing_todo_items(tables: Sequence[Table], now: datetime) -> Iterator[TodoItem]:
    closures = announced_closures(tables)
    clocks = clocks_of([closure.sign for closure in closures if closure.sign], now)
    notified_at = notification_times([closure for closure in closures if closure.told_at]) if closures else {}
    for closure in closures:
        yield _todo_item(
            closure,
            clocks[closure.sign.pk] if closure.sign else None,
            now,
            is_notified=notified_at.get(closure.pk) is not None,
        )


def _todo_item(closure: Closure, clock: SignClock | None, now: datetime, *, is_notified: bool) -> TodoItem:
    casino, table = closure.casino, closure.table
    when = time_of_day(closure.closes_at, casino)
    page = casino_url("closures:table", casino, table=table.slug)
    label = f"Close at {when}"
    if clock is not None and not clock.is_up:
        hint = f"The sign must be up for {clock.notice.seconds // 60} minutes before (clause {closure.clause})."
        return TodoItem(table, label, page, Tag("Put the sign up", "warning"), hint)
    earliest = max(closure.closes_at, clock.earliest_at) if clock else closure.closes_at
    if earliest > now:
        later = f" The sign went up late, so not before {time_of_day(next_whole_minute(earliest), casino)}."
        hint = f"{relative_time(earliest, now)}." + (later if earliest > closure.closes_at else "")
        return TodoItem(table, label, page, Tag("Announced", "info"), hint)
    if closure.told_at is not None and not is_notified:
        hint = "Whoever must be told before is being e-mailed. The table closes after that."
        return TodoItem(table, label, page, Tag("Telling", "info"), hint)
    running = open_streak_wagers(table)
    if running:
        rule = f" (clause {closure.call.clause})" if closure.call else ""
        number = "A Super Streak wager" if len(running) == 1 else f"{len(running)} Super Streak wagers"
        hint = f"{number} not determined yet: the table closes after that{rule}."
        return TodoItem(table, label, page, Tag("Held", "warning"), hint)
    href = casino_url("closures:close", casino, closure=closure.pk)
    return TodoItem(
        table, label, href, Tag("Due", "warning"), "Everything the rules ask before was done.", "Table is closed"
    )


def closed_table_facts(table: Table, now: datetime) -> Sequence[SignFact] | None:
    return [SignFact("This table", "is closed")] if closure_in_effect(table) else None
