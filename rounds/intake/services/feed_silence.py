"""Services that record when a feed falls silent and when it returns. Heartbeats are not entries, so without these the
ledger would not show an outage."""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from rounds.floor.models import Table
from rounds.intake.entry_kinds import RETURNED, SILENT
from rounds.intake.models import Feed
from rounds.intake.models.feed import SILENT_AFTER
from rounds.ledger import append, encode_timestamp, make_entry, read_only_log_slugs, writing


def record_silences(*, now: datetime) -> int:
    """Records feeds that fell silent, except of tables reported as closed or retired. Returns how many."""
    in_use = Table.objects.in_use(now).filter(casino=OuterRef("casino"), slug=OuterRef("table"))
    quiet = _writable_feeds().filter(Exists(in_use), silent_since=None, last_seen_at__lt=now - SILENT_AFTER)
    quiet = quiet.exclude(is_open=False)
    return sum(_record_silence(feed, log, now) for feed, log in quiet.values_list("pk", "casino__slug"))


@transaction.atomic
def _record_silence(feed_id: int, log: str, now: datetime) -> bool:
    feed = _lock_feed(feed_id, log)
    if feed.silent_since is not None or not feed.is_silent(now):
        return False
    feed.silent_since = feed.last_seen_at
    feed.save(update_fields=["silent_since"])
    body = {
        "controller": feed.controller.slug,
        "table": feed.table,
        "last_seen_at": encode_timestamp(feed.last_seen_at),
        "last_sequence": feed.last_sequence,
    }
    append(log, [make_entry(SILENT, body, table=feed.table)], now)
    return True


def record_returns(*, now: datetime) -> int:
    """Records silent feeds that were heard of since. Returns how many."""
    back = _writable_feeds().exclude(silent_since=None).filter(last_seen_at__gt=F("silent_since"))
    return sum(_record_return(feed, log, now) for feed, log in back.values_list("pk", "casino__slug"))


@transaction.atomic
def _record_return(feed_id: int, log: str, now: datetime) -> bool:
    feed = _lock_feed(feed_id, log)
    if feed.silent_since is None or feed.last_seen_at <= feed.silent_since:
        return False
    body = {
        "controller": feed.controller.slug,
        "table": feed.table,
        "silent_since": encode_timestamp(feed.silent_since),
        "seen_at": encode_timestamp(feed.last_seen_at),
    }
    feed.silent_since = None
    feed.save(update_fields=["silent_since"])
    append(log, [make_entry(RETURNED, body, table=feed.table)], now)
    return True


def _writable_feeds() -> QuerySet[Feed]:
    return Feed.objects.exclude(casino__slug__in=read_only_log_slugs())


def _lock_feed(feed_id: int, log: str) -> Feed:
    """Lock order: log head first, then the feed row, as when a batch is recorded. The reverse order deadlocks."""
    writing.lock_log(log)
    rows = Feed.objects.select_related("controller")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=feed_id)
