"""Recording that a feed fell silent, and that it came back. Heart-beats are no entries, so both must be said."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from rounds.intake.entry_kinds import RETURNED, SILENT
from rounds.intake.models import Feed
from rounds.intake.models.feed import SILENT_AFTER
from rounds.ledger import append, encode_timestamp, make_entry, read_only_log_slugs, writing


def record_silences(*, now: datetime) -> int:
    """Of tables that are open, or of which nobody said that they are closed; how many fell silent."""
    quiet = _writable_feeds().filter(silent_since=None, last_seen_at__lt=now - SILENT_AFTER).exclude(is_open=False)
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
    """Of feeds that were recorded as silent and have been heard of since; how many came back."""
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
    """The log first: a batch that is being recorded has locked it and is about to move the feed."""
    writing.lock_log(log)
    rows = Feed.objects.select_related("controller")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=feed_id)
