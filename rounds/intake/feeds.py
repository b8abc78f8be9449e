"""Where each feed stands, moved forward by every batch: one statement a table."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db import connection

from rounds.floor.selectors import KeyHeld
from rounds.intake.kinds.lines import Line

OPENINGS = {"table-opened": True, "table-closed": False}

MOVE = """
INSERT INTO intake_feed (casino_id, controller_id, "table", accepted, last_sequence, announced_sequence, last_seen_at,
                         last_heartbeat_at, skew_milliseconds, is_open, opened_or_closed_sequence)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
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


def move_feeds(key: KeyHeld, lines: Iterable[Line], *, sent_at: datetime, now: datetime, are_new: bool = True) -> None:
    """Each table's feed by itself, in one order, so that two requests of a controller never wait for each other."""
    ordered = sorted(lines, key=lambda line: line.table)
    skew = round((now - sent_at).total_seconds() * 1000)
    with connection.cursor() as cursor:
        for table, group in groupby(ordered, key=lambda line: line.table):
            counted = list(group)
            cursor.execute(MOVE, [key.casino_id, key.controller_id, table, *_standing(counted, now, skew, are_new)])


def _standing(lines: Sequence[Line], now: datetime, skew: int, are_new: bool) -> tuple[Any, ...]:
    leaves = [line for line in lines if line.is_leaf]
    beats = [line.sequence for line in lines if not line.is_leaf]
    turn = max((line for line in leaves if line.kind in OPENINGS), key=lambda line: line.sequence, default=None)
    return (
        len(leaves) if are_new else 0,
        max((line.sequence for line in leaves), default=0),
        max(beats, default=0),
        now,
        now if beats else None,
        skew,
        OPENINGS[turn.kind] if turn else None,
        turn.sequence if turn else 0,
    )
