"""Queries on conduct acts, and on the rounds they refer to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.tables.player_conduct.models import ConductAct
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ
from rounds.intake.entry_kinds import ROUND
from rounds.ledger import (
    EntryError,
    EntryQuery,
    LogEntry,
    read_entries_at,
    search_entries,
)

ROUNDS_SEARCHED = 50


def access_act(user: User, casino: Casino, index: int) -> ConductAct:
    """Fetches an act by the index of its entry. Absent and forbidden raise the same error."""
    acts = ConductAct.recorded.filter(casino=casino, entry_index=index).select_related("table", "personal", "casino")
    found = acts.first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def acts_of(casino: Casino, *, kind: str = "", table: str = "") -> QuerySet[ConductAct]:
    acts = ConductAct.recorded.filter(casino=casino).select_related("table")
    if kind:
        acts = acts.filter(kind=kind)
    return acts.filter(table__slug=table) if table else acts


def find_round(table: Table, named: str) -> LogEntry | None:
    """Finds a round by the index of its entry or by its own number; of several with that number at this table, the
    newest."""
    log = table.casino.slug
    if named.isascii() and named.isdigit() and len(named) < 16:
        by_index = [entry for entry in read_entries_at(log, [int(named)]) if _is_round_entry(entry, table)]
        if by_index:
            return by_index[0]
    return next((entry for entry in _last_rounds(table, named) if entry.line_body().get("round") == named), None)


def _is_round_entry(entry: LogEntry, table: Table) -> bool:
    return entry.kind == ROUND and entry.table == table.slug


def _last_rounds(table: Table, named: str = "") -> Sequence[LogEntry]:
    """Rounds that the search index has under that name, then the newest rounds, which may not be indexed yet."""
    log = table.casino.slug
    newest = search_entries(log, EntryQuery(table=table.slug, kind=ROUND), limit=ROUNDS_SEARCHED).entries
    known = search_entries(log, EntryQuery(table=table.slug, kind=ROUND, round=named), limit=1).entries if named else []
    return [*known, *newest]


def idle_rounds(table: Table, count: int, *, until: datetime, seat: int | None, player: str) -> list[int] | None:
    """Indexes of the last `count` rounds with a result before `until`, if the player wagered in none of them. None if
    they wagered or there are too few rounds.

    Rounds without a result do not count (readings.md N38).
    """
    before = [entry for entry in _last_rounds(table) if _entry_time(entry) <= until]
    with_result = [entry for entry in before if not entry.line_body().get("no_result")][:count]
    if len(with_result) < count or any(_has_wagered(entry, seat, player) for entry in with_result):
        return None
    return sorted(entry.index for entry in with_result)


def _has_wagered(entry: LogEntry, seat: int | None, player: str) -> bool:
    return any(is_wager_of(wager, seat, player) for wager in entry.line_body().get("wagers", ()))


def is_wager_of(wager: Mapping[str, Any], seat: int | None, player: str) -> bool:
    """Whether the wager belongs to the seat or to the day's pseudonym."""
    return (seat is not None and wager.get("seat") == seat) or (player != "" and wager.get("player") == player)


def wagers_in(
    entries: Sequence[LogEntry], matches: Callable[[Mapping[str, Any]], bool] = lambda wager: True
) -> Iterator[str]:
    """Wagers as "entry index:wager id"."""
    for entry in entries:
        for wager in entry.line_body().get("wagers", ()):
            if matches(wager):
                yield f"{entry.index}:{wager.get('id')}"


def _entry_time(entry: LogEntry) -> datetime:
    """The table's own time, but never later than the recording."""
    try:
        return min(datetime.fromisoformat(entry.content()["at"]), entry.recorded_at)
    except (EntryError, KeyError, TypeError, ValueError):
        return entry.recorded_at
