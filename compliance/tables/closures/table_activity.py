"""What the log says of a table now: whether it is open, its last wagers, and streak wagers that still run."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.tables.closures import entry_kinds
from rounds.floor.models import Table
from rounds.ledger import EntryError, EntryQuery, LogEntry, search_entries

RECENT_ROUNDS = 5
# A streak is at most twelve decisive results long; triples and rounds without a result stretch it.
STREAK_ROUNDS_SEARCHED = 60


@dataclass(frozen=True)
class OpenOrClose:
    """The last opening or closing of a table, by whoever reported it."""

    is_open: bool
    at: datetime
    index: int


@dataclass(frozen=True)
class RecentRound:
    """A round beside the question whether players are there."""

    name: str
    at: datetime
    wagers: int
    players: int


def last_open_or_close(table: Table) -> OpenOrClose | None:
    """What was reported last counts; of two, the later by the table's own time."""
    turns = [
        turn for kind in (entry_kinds.OPENED, entry_kinds.CLOSED) if (turn := _last_of_kind(table, kind)) is not None
    ]
    return max(turns, key=lambda turn: (turn.at, turn.index), default=None)


def _last_of_kind(table: Table, kind: str) -> OpenOrClose | None:
    found = search_entries(table.casino.slug, EntryQuery(table=table.slug, kind=kind), limit=1).entries
    if not found:
        return None
    return OpenOrClose(kind == entry_kinds.OPENED, min(_entry_time(found[0]), found[0].recorded_at), found[0].index)


def is_closed(table: Table) -> bool:
    turn = last_open_or_close(table)
    return turn is not None and not turn.is_open


def _recent_round_entries(table: Table, number: int) -> list[LogEntry]:
    """The newest first."""
    return search_entries(table.casino.slug, EntryQuery(table=table.slug, kind="round"), limit=number).entries


def recent_rounds(table: Table) -> list[RecentRound]:
    played = []
    for entry in _recent_round_entries(table, RECENT_ROUNDS):
        body = _line_body(entry)
        wagers = [wager for wager in body.get("wagers", ()) if isinstance(wager, dict)]
        players = {wager.get("player") or wager.get("seat") or wager.get("terminal") for wager in wagers}
        played.append(RecentRound(str(body.get("round", "")), _entry_time(entry), len(wagers), len(players)))
    return played


def open_streak_wagers(table: Table) -> list[str]:
    """The ids of streak wagers whose last word is that they are open: each is named when made and when it ends."""
    last_word: dict[str, str] = {}
    for entry in _recent_round_entries(table, STREAK_ROUNDS_SEARCHED):
        for wager in _line_body(entry).get("wagers", ()):
            if isinstance(wager, dict) and str(wager.get("bet", "")).startswith("streak:"):
                last_word.setdefault(str(wager.get("id")), str(wager.get("verdict")))
    return sorted(wager for wager, verdict in last_word.items() if verdict == "open")


def _line_body(entry: LogEntry) -> dict[str, Any]:
    try:
        body = entry.content().get("body")
    except EntryError:
        return {}
    return body if isinstance(body, dict) else {}


def _entry_time(entry: LogEntry) -> datetime:
    try:
        return datetime.fromisoformat(entry.content()["at"])
    except (EntryError, KeyError, TypeError, ValueError):
        return entry.recorded_at
