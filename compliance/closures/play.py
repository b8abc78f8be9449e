"""What the log says of a table now: whether it is open, its last wagers, and streak wagers that still run."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.closures import kinds
from rounds.floor.models import Table
from rounds.ledger.errors import EntryError
from rounds.ledger.following import Recorded
from rounds.ledger.searching import Wanted, search

LAST_ROUNDS = 5
# A streak is at most twelve decisive results long; triples and rounds without a result stretch it.
ROUNDS_LOOKED_THROUGH = 60


@dataclass(frozen=True)
class Turned:
    """The last opening or closing of a table, by whoever reported it."""

    is_open: bool
    at: datetime
    index: int


@dataclass(frozen=True)
class Played:
    """A round beside the question whether players are there."""

    name: str
    at: datetime
    wagers: int
    players: int


def last_turn(table: Table) -> Turned | None:
    """What was reported last counts; of two, the later by the table's own time."""
    turns = [turn for kind in (kinds.OPENED, kinds.CLOSED) if (turn := _last_of(table, kind)) is not None]
    return max(turns, key=lambda turn: (turn.at, turn.index), default=None)


def _last_of(table: Table, kind: str) -> Turned | None:
    found = search(table.casino.slug, Wanted(table=table.slug, kind=kind), limit=1).entries
    if not found:
        return None
    return Turned(kind == kinds.OPENED, min(_at(found[0]), found[0].recorded_at), found[0].index)


def is_closed(table: Table) -> bool:
    turn = last_turn(table)
    return turn is not None and not turn.is_open


def _rounds(table: Table, number: int) -> list[Recorded]:
    """The newest first."""
    return search(table.casino.slug, Wanted(table=table.slug, kind="round"), limit=number).entries


def last_rounds(table: Table) -> list[Played]:
    played = []
    for entry in _rounds(table, LAST_ROUNDS):
        body = _body(entry)
        wagers = [wager for wager in body.get("wagers", ()) if isinstance(wager, dict)]
        players = {wager.get("player") or wager.get("seat") or wager.get("terminal") for wager in wagers}
        played.append(Played(str(body.get("round", "")), _at(entry), len(wagers), len(players)))
    return played


def running_streaks(table: Table) -> list[str]:
    """The ids of streak wagers whose last word is that they are open: each is named when made and when it ends."""
    last_word: dict[str, str] = {}
    for entry in _rounds(table, ROUNDS_LOOKED_THROUGH):
        for wager in _body(entry).get("wagers", ()):
            if isinstance(wager, dict) and str(wager.get("bet", "")).startswith("streak:"):
                last_word.setdefault(str(wager.get("id")), str(wager.get("verdict")))
    return sorted(wager for wager, verdict in last_word.items() if verdict == "open")


def _body(entry: Recorded) -> dict[str, Any]:
    try:
        body = entry.content().get("body")
    except EntryError:
        return {}
    return body if isinstance(body, dict) else {}


def _at(entry: Recorded) -> datetime:
    try:
        return datetime.fromisoformat(entry.content()["at"])
    except (EntryError, KeyError, TypeError, ValueError):
        return entry.recorded_at
