"""What tables need because they are to close; and what the display of a closed table shows."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.urls import reverse

from compliance.closures.models import Closure
from compliance.closures.play import running_streaks
from compliance.closures.selectors import announced_at, closed_by_people, told_when
from compliance.signs.clock import Clock, next_whole_minute
from compliance.signs.faces import Fact, time_ahead, time_of_day
from compliance.signs.offers import Need
from compliance.signs.selectors import clocks_of
from compliance.web.components import Tag
from rounds.floor.models import Table


def needs(tables: Sequence[Table], now: datetime) -> Iterator[Need]:
    closures = announced_at(tables)
    clocks = clocks_of([closure.sign for closure in closures if closure.sign], now)
    told = told_when([closure for closure in closures if closure.told_at]) if closures else {}
    for closure in closures:
        yield _need(
            closure, clocks[closure.sign.pk] if closure.sign else None, now, is_told=told.get(closure.pk) is not None
        )


def _need(closure: Closure, clock: Clock | None, now: datetime, *, is_told: bool) -> Need:
    casino, table = closure.casino, closure.table
    when = time_of_day(closure.closes_at, casino)
    there = {"casino": casino.slug, "table": table.slug}
    page = reverse("closures:table", kwargs=there)
    label = f"Close at {when}"
    if clock is not None and not clock.is_up:
        hint = f"The sign must be up for {clock.notice.seconds // 60} minutes before (clause {closure.clause})."
        return Need(table, label, page, Tag("Put the sign up", "warning"), hint)
    earliest = max(closure.closes_at, clock.earliest_at) if clock else closure.closes_at
    if earliest > now:
        later = f" The sign went up late, so not before {time_of_day(next_whole_minute(earliest), casino)}."
        hint = f"{time_ahead(earliest, now)}." + (later if earliest > closure.closes_at else "")
        return Need(table, label, page, Tag("Announced", "info"), hint)
    if closure.told_at is not None and not is_told:
        hint = "Whoever must be told before is being e-mailed. The table closes after that."
        return Need(table, label, page, Tag("Telling", "info"), hint)
    running = running_streaks(table)
    if running:
        rule = f" (clause {closure.call.clause})" if closure.call else ""
        number = "A Super Streak wager" if len(running) == 1 else f"{len(running)} Super Streak wagers"
        hint = f"{number} not determined yet: the table closes after that{rule}."
        return Need(table, label, page, Tag("Held", "warning"), hint)
    href = reverse("closures:close", kwargs={"casino": casino.slug, "closure": closure.pk})
    return Need(
        table, label, href, Tag("Due", "warning"), "Everything the rules ask before was done.", "Table is closed"
    )


def face(table: Table, now: datetime) -> Sequence[Fact] | None:
    return [Fact("This table", "is closed")] if closed_by_people(table) else None
