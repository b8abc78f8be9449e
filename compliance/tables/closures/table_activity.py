"""Current activity of a table, read from the log: open or closed, recent rounds, streak wagers still open."""

from dataclasses import dataclass
from datetime import datetime

from rounds.floor.models import Table
from rounds.intake.entry_kinds import ROUND, TABLE_CLOSED, TABLE_OPENED
from rounds.ledger import EntryError, EntryQuery, LogEntry, corrections_of, search_entries

RECENT_ROUNDS = 5
# Openings or closings read to find the last one that was not withdrawn.
RECENT_TURNS = 10
# A streak has at most twelve decisive results; triples and rounds without a result make it longer.
STREAK_ROUNDS_SEARCHED = 60


@dataclass(frozen=True)
class OpenOrClose:
    """The last opening or closing of a table, reported by a controller or a person."""

    is_open: bool
    at: datetime
    index: int


@dataclass(frozen=True)
class RecentRound:
    """A recent round, shown next to the question whether players are present."""

    name: str
    at: datetime
    wagers: int
    players: int


def last_open_or_close(table: Table) -> OpenOrClose | None:
    """The last opening or closing. When both exist, the later one by the table's own time."""
    turns = [turn for kind in (TABLE_OPENED, TABLE_CLOSED) if (turn := _last_of_kind(table, kind)) is not None]
    return max(turns, key=lambda turn: (turn.at, turn.index), default=None)


def _last_of_kind(table: Table, kind: str) -> OpenOrClose | None:
    found = search_entries(table.casino.slug, EntryQuery(table=table.slug, kind=kind), limit=RECENT_TURNS).entries
    withdrawn = corrections_of(table.casino.slug, [entry.index for entry in found]) if found else {}
    last = next((entry for entry in found if entry.index not in withdrawn), None)
    if last is None:
        return None
    return OpenOrClose(kind == TABLE_OPENED, min(_entry_time(last), last.recorded_at), last.index)


def is_closed(table: Table) -> bool:
    turn = last_open_or_close(table)
    return turn is not None and not turn.is_open


def _recent_round_entries(table: Table, number: int) -> list[LogEntry]:
    """Newest first."""
    return search_entries(table.casino.slug, EntryQuery(table=table.slug, kind=ROUND), limit=number).entries


def recent_rounds(table: Table) -> list[RecentRound]:
    played = []
    for entry in _recent_round_entries(table, RECENT_ROUNDS):
        body = entry.line_body()
        wagers = [wager for wager in body.get("wagers", ()) if isinstance(wager, dict)]
        players = {wager.get("player") or wager.get("seat") or wager.get("terminal") for wager in wagers}
        played.append(RecentRound(str(body.get("round", "")), _entry_time(entry), len(wagers), len(players)))
    return played


def open_streak_wagers(table: Table) -> list[str]:
    """Ids of streak wagers whose latest entry leaves them open. Entries name a streak wager when it is placed and when
    it ends."""
    last_word: dict[str, str] = {}
    for entry in _recent_round_entries(table, STREAK_ROUNDS_SEARCHED):
        for wager in entry.line_body().get("wagers", ()):
            if isinstance(wager, dict) and str(wager.get("bet", "")).startswith("streak:"):
                last_word.setdefault(str(wager.get("id")), str(wager.get("verdict")))
    return sorted(wager for wager, verdict in last_word.items() if verdict == "open")


def _entry_time(entry: LogEntry) -> datetime:
    try:
        return datetime.fromisoformat(entry.content()["at"])
    except (EntryError, KeyError, TypeError, ValueError):
        return entry.recorded_at
