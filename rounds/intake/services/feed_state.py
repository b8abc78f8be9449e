"""Where each feed stands, moved forward by every batch: one statement for all that are moved at once."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from rounds.floor.selectors import ControllerIdentity
from rounds.intake.protocol.envelope import Line

IS_OPEN_BY_KIND = {"table-opened": True, "table-closed": False}

ROW_PLACEHOLDERS = "(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
UPSERT_FEEDS = """
INSERT INTO intake_feed (casino_id, controller_id, "table", accepted, last_sequence, announced_sequence, last_seen_at,
                         last_heartbeat_at, skew_milliseconds, is_open, opened_or_closed_sequence)
VALUES {moved}
ON CONFLICT (controller_id, "table") DO UPDATE SET
    accepted = intake_feed.accepted + EXCLUDED.accepted,
    last_sequence = GREATEST(intake_feed.last_sequence, EXCLUDED.last_sequence),
    announced_sequence = GREATEST(intake_feed.announced_sequence, EXCLUDED.announced_sequence),
    last_seen_at = GREATEST(intake_feed.last_seen_at, EXCLUDED.last_seen_at),
    last_heartbeat_at = GREATEST(intake_feed.last_heartbeat_at, EXCLUDED.last_heartbeat_at),
    skew_milliseconds = EXCLUDED.skew_milliseconds,
    is_open = CASE WHEN EXCLUDED.opened_or_closed_sequence > intake_feed.opened_or_closed_sequence
                   THEN EXCLUDED.is_open ELSE intake_feed.is_open END,
    opened_or_closed_sequence = GREATEST(intake_feed.opened_or_closed_sequence, EXCLUDED.opened_or_closed_sequence)
"""


class FeedUpdate(NamedTuple):
    """How far lines of one batch take the feed of one table: a row of `intake_feed`, as far as they know it."""

    casino_id: int
    controller_id: int
    table: str
    accepted: int
    last_sequence: int
    announced_sequence: int
    last_seen_at: datetime
    last_heartbeat_at: datetime | None
    skew_milliseconds: int
    is_open: bool | None
    opened_or_closed_sequence: int

    @property
    def feed_key(self) -> tuple[int, str]:
        return self.controller_id, self.table


def feed_updates(
    key: ControllerIdentity, lines: Iterable[Line], *, sent_at: datetime, now: datetime, are_new: bool = True
) -> list[FeedUpdate]:
    """One for each table that the lines are of."""
    by_table: dict[str, list[Line]] = {}
    for line in lines:
        by_table.setdefault(line.table, []).append(line)
    skew = round((now - sent_at).total_seconds() * 1000)
    return [
        FeedUpdate(key.casino_id, key.controller_id, table, *_update_columns(own, now, skew, are_new))
        for table, own in by_table.items()
    ]


def update_feeds(moves: Iterable[FeedUpdate]) -> None:
    """One statement for all of them, in one order, so that two requests never wait for each other.

    A feed that two batches move is moved by one after the other.
    """
    waiting = sorted(moves, key=lambda move: move.feed_key)
    while waiting:
        turn: dict[tuple[int, str], FeedUpdate] = {}
        later = [move for move in waiting if turn.setdefault(move.feed_key, move) is not move]
        with connection.cursor() as cursor:
            moved = ", ".join([ROW_PLACEHOLDERS] * len(turn))
            cursor.execute(UPSERT_FEEDS.format(moved=moved), [value for move in turn.values() for value in move])
        waiting = later


def _update_columns(lines: Sequence[Line], now: datetime, skew: int, are_new: bool) -> tuple[Any, ...]:
    leaves = [line for line in lines if line.is_leaf]
    beats = [line.sequence for line in lines if not line.is_leaf]
    turn = max((line for line in leaves if line.kind in IS_OPEN_BY_KIND), key=lambda line: line.sequence, default=None)
    return (
        len(leaves) if are_new else 0,
        max((line.sequence for line in leaves), default=0),
        max(beats, default=0),
        now,
        now if beats else None,
        skew,
        IS_OPEN_BY_KIND[turn.kind] if turn else None,
        turn.sequence if turn else 0,
    )
