"""Records rejected signatures: an entry for the first, then at most one a minute with their number.

A known key is recorded in its casino's log; an unknown one in the log of each casino with a named table, else `site`.
"""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from compliance.core.accounts.ledger.account_events import SITE_LOG
from rounds.floor.models import ControllerKey, Table
from rounds.floor.public_keys import KEY_ID_LENGTH
from rounds.intake.entry_kinds import SIGNATURE, UNKNOWN_KEY
from rounds.intake.models import RefusedSignatures, UnknownKeys
from rounds.ledger import append, encode_timestamp, make_entry, read_only_log_slugs

# Untrusted input: only strings in the format of a key id are written to the ledger, and only MAX_KEYS_NAMED of them.
KEY_ID_PATTERN = re.compile(rf"[0-9a-f]{{{KEY_ID_LENGTH}}}")
MAX_KEYS_NAMED = 20


@transaction.atomic
def record_refused_signature(*, key: ControllerKey, why: str, now: datetime) -> None:
    """Counts a rejection under a known key. Records the count if none was recorded for this key in the last minute."""
    RefusedSignatures.objects.get_or_create(
        key_id=key.key_id, defaults={"controller_id": key.controller_id, "last_at": now}
    )
    counted = _lock_signature_count(key.key_id)
    counted.unrecorded += 1
    counted.last_at, counted.why = now, why
    _record_signatures_if_due(counted, now)


@transaction.atomic
def record_unknown_key(*, key_id: str, tables: Collection[str], now: datetime) -> None:
    """Counts a rejection under an unknown key. Records the count if the log had no such entry in the last minute."""
    claimed: dict[str, list[str]] = {}
    known = Table.objects.filter(slug__in=tables).order_by("casino__slug", "slug")
    for log, table in known.values_list("casino__slug", "slug"):
        claimed.setdefault(log, []).append(table)
    for log, slugs in claimed.items() or [(SITE_LOG, [])]:
        _count_unknown_key(log, key_id, slugs, now)


def _count_unknown_key(log: str, key_id: str, tables: Sequence[str], now: datetime) -> None:
    UnknownKeys.objects.get_or_create(log=log, defaults={"last_at": now})
    counted = _lock_unknown_key_count(log)
    counted.unrecorded += 1
    counted.last_at = now
    if KEY_ID_PATTERN.fullmatch(key_id) and (key_id in counted.named or len(counted.named) < MAX_KEYS_NAMED):
        counted.named[key_id] = counted.named.get(key_id, 0) + 1
    for table in tables:
        counted.claimed[table] = counted.claimed.get(table, 0) + 1
    _record_unknown_keys_if_due(counted, now)


def record_remaining_counts(*, now: datetime) -> None:
    """Records counts that are due and still unrecorded. Called by the periodic task watch_feeds."""
    counted = RefusedSignatures.objects.exclude(controller__casino__slug__in=read_only_log_slugs())
    for key_id in counted.filter(unrecorded__gt=0).values_list("key_id", flat=True):
        _record_remaining_signatures(key_id, now)
    unknown = UnknownKeys.objects.exclude(log__in=read_only_log_slugs())
    for log in unknown.filter(unrecorded__gt=0).order_by("log").values_list("log", flat=True):
        _record_remaining_unknown_keys(log, now)


@transaction.atomic
def _record_remaining_signatures(key_id: str, now: datetime) -> None:
    counted = _lock_signature_count(key_id)
    if counted.unrecorded:
        _record_signatures_if_due(counted, now)


@transaction.atomic
def _record_remaining_unknown_keys(log: str, now: datetime) -> None:
    counted = _lock_unknown_key_count(log)
    if counted.unrecorded:
        _record_unknown_keys_if_due(counted, now)


def _lock_signature_count(key_id: str) -> RefusedSignatures:
    rows = RefusedSignatures.objects.select_related("controller__casino")
    return rows.select_for_update(no_key=True, of=("self",)).get(key_id=key_id)


def _lock_unknown_key_count(log: str) -> UnknownKeys:
    return UnknownKeys.objects.select_for_update(no_key=True).get(log=log)


def _record_signatures_if_due(counted: RefusedSignatures, now: datetime) -> None:
    if not counted.is_due(now):
        counted.save()
        return
    count, counted.unrecorded, counted.recorded_at = counted.unrecorded, 0, now
    counted.save()
    controller = counted.controller
    body = {
        "controller": controller.slug,
        "key_id": counted.key_id,
        "why": counted.why,
        "count": count,
        "last_at": encode_timestamp(counted.last_at),
    }
    append(controller.casino.slug, [make_entry(SIGNATURE, body)], now)


def _record_unknown_keys_if_due(counted: UnknownKeys, now: datetime) -> None:
    if not counted.is_due(now):
        counted.save()
        return
    body = {
        "count": counted.unrecorded,
        "keys": counted.named,
        "tables": counted.claimed,
        "last_at": encode_timestamp(counted.last_at),
    }
    [table] = counted.claimed if len(counted.claimed) == 1 else [None]
    counted.unrecorded, counted.named, counted.claimed, counted.recorded_at = 0, {}, {}, now
    counted.save()
    append(counted.log, [make_entry(UNKNOWN_KEY, body, table=table)], now)
