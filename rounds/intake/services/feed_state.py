"""Upsert of the current state of feeds. Every batch moves its feeds forward; one statement updates many feeds."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from rounds.floor.selectors import ControllerIdentity
from rounds.intake.entry_kinds import TABLE_CLOSED, TABLE_OPENED
from rounds.intake.protocol.envelope import Line

IS_OPEN_BY_KIND: dict[str, bool] = {TABLE_OPENED: True, TABLE_CLOSED: False}

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
    """The effect of one batch on the feed of one table: the values of one row for UPSERT_FEEDS."""

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
    """One update for each table of the lines. `are_new` False: resent lines, which do not add to `accepted`."""
    by_table: dict[str, list[Line]] = {}
    for line in lines:
        by_table.setdefault(line.table, []).append(line)
    skew = round((now - sent_at).total_seconds() * 1000)
    return [
        FeedUpdate(key.casino_id, key.controller_id, table, *_update_columns(own, now, skew, are_new))
        for table, own in by_table.items()
    ]


def update_feeds(updates: Iterable[FeedUpdate]) -> None:
    """Applies the updates in one statement. Lock order: rows sorted by feed key, so that two requests cannot deadlock.

    ON CONFLICT cannot update a row twice in one statement, so a second update of the same feed gets another statement.
    """
    waiting = sorted(updates, key=lambda update: update.feed_key)
    while waiting:
        batch: dict[tuple[int, str], FeedUpdate] = {}
        later = [update for update in waiting if batch.setdefault(update.feed_key, update) is not update]
        with connection.cursor() as cursor:
            moved = ", ".join([ROW_PLACEHOLDERS] * len(batch))
            cursor.execute(UPSERT_FEEDS.format(moved=moved), [value for update in batch.values() for value in update])
        waiting = later


def _update_columns(lines: Sequence[Line], now: datetime, skew: int, are_new: bool) -> tuple[Any, ...]:
    leaves = [line for line in lines if line.is_leaf]
    heartbeats = [line.sequence for line in lines if not line.is_leaf]
    openings = (line for line in leaves if line.kind in IS_OPEN_BY_KIND)
    latest = max(openings, key=lambda line: line.sequence, default=None)
    return (
        len(leaves) if are_new else 0,
        max((line.sequence for line in leaves), default=0),
        max(heartbeats, default=0),
        now,
        now if heartbeats else None,
        skew,
        IS_OPEN_BY_KIND[latest.kind] if latest else None,
        latest.sequence if latest else 0,
    )
