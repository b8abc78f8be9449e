"""Evidence out of the database: a stretch of a log, or chosen entries of it, as a folder that proves itself offline.

Everything is read through server-side cursors: an export of any length takes the same memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Min, QuerySet, Window
from django.db.models.functions import RowNumber

from rounds.ledger import stored, tiles
from rounds.ledger.attached import attached_packs
from rounds.ledger.bundle import BundleEntry, BundleSource, WrittenBundle, write_bundle
from rounds.ledger.checkpoints import known_keys, newest_or_signed, verifier
from rounds.ledger.completeness import beside
from rounds.ledger.errors import BundleError
from rounds.ledger.models import Entry, Log, SignedCheckpoint
from rounds.ledger.notes import open_checkpoint
from rounds.ledger.offline.feeds import Feeds
from rounds.ledger.progress import Progress, unseen
from rounds.ledger.read_only import is_read_only
from rounds.ledger.stored import log_named

READ_AT_ONCE = 100
# Each takes a verifier without compiled code some milliseconds; of more than this many, every n-th is written.
MOST_CHECKPOINTS = 1000

Packs = Iterable[tuple[str, bytes]]


def export_range(
    *,
    log: str,
    first: int,
    last: int,
    folder: Path,
    casino: str,
    now: datetime,
    packs: Packs = (),
    show_progress: Progress = unseen,
) -> WrittenBundle:
    """Write entries first..last-1, every one of them, with the proof that none is missing."""
    stored_log, size = _sign(log, now)
    if not 0 <= first < last <= size:
        raise BundleError("no-such-range", f"{_signed_for(log, size)}: {first} to {last} is no range of them.")
    with transaction.atomic():
        rows = _entries(log, Entry.objects.filter(log=stored_log, index__gte=first, index__lt=last))

        def find_beside(feeds: Feeds) -> Iterator[BundleEntry]:
            wanted = Entry.objects.filter(log=stored_log, index__in=beside(stored_log, feeds, first, last))
            hashes = stored.stored_hashes(stored_log, size)
            return (_proved(hashes, entry, size) for entry in _entries(log, wanted))

        return write_bundle(
            folder,
            _source(log, casino, now),
            entries=_counted(rows, last - first, show_progress),
            checkpoints=_checkpoints(stored_log, first, size),
            prove_consistency=lambda one, other: stored.consistency_proof(stored_log, one, other),
            range_proof=stored.range_proof(stored_log, first, last, size),
            packs=[*packs, *attached_packs(log, last)],
            find_beside=find_beside,
        )


def export_selection(
    *,
    log: str,
    indexes: Sequence[int],
    folder: Path,
    casino: str,
    now: datetime,
    packs: Packs = (),
    show_progress: Progress = unseen,
) -> WrittenBundle:
    """Write these entries alone, each with its own proof; nothing is learnt of the entries between them."""
    stored_log, size = _sign(log, now)
    wanted = sorted(set(indexes))
    if not wanted or wanted[0] < 0 or wanted[-1] >= size:
        raise BundleError("no-such-entry", f"{_signed_for(log, size)}, from 0 on: not all of those chosen.")
    with transaction.atomic():
        chosen = _entries(log, Entry.objects.filter(log=stored_log, index__in=wanted))
        # One reader for all proofs: neighbours share their tiles, and each is fetched once.
        hashes = stored.stored_hashes(stored_log, size)
        return write_bundle(
            folder,
            _source(log, casino, now),
            entries=_counted((_proved(hashes, entry, size) for entry in chosen), len(wanted), show_progress),
            checkpoints=_checkpoints(stored_log, wanted[0], size),
            prove_consistency=lambda one, other: stored.consistency_proof(stored_log, one, other),
            packs=[*packs, *attached_packs(log, wanted[-1] + 1)],
        )


def first_at(log: str, moment: datetime) -> int:
    """The first entry recorded at or after the moment; the size of the log if there is none."""
    found = Entry.objects.filter(log=log_named(log), recorded_at__gte=moment).aggregate(index=Min("index"))["index"]
    return stored.head_of(log_named(log)).size if found is None else found


def end_before(log: str, moment: datetime) -> int:
    """The index after the last entry recorded before the moment."""
    found = Entry.objects.filter(log=log_named(log), recorded_at__lt=moment).aggregate(index=Max("index"))["index"]
    return 0 if found is None else found + 1


def signed_size(log: str, now: datetime) -> int:
    """How many entries evidence can be given of: all of them, unless the log is read-only."""
    return _sign(log, now)[1]


def _signed_for(log: str, size: int) -> str:
    return f"{log} {'is read-only and signed for' if is_read_only(log) else 'has'} {size} entries"


def _sign(log: str, now: datetime) -> tuple[Log, int]:
    """Evidence is held to a checkpoint of this moment, so that it covers the newest entries too. A log that is
    read-only signs nothing: evidence of it is held to what it signed before."""
    return log_named(log), open_checkpoint(newest_or_signed(log, now), verifier(log)).head.size


def _source(log: str, casino: str, now: datetime) -> BundleSource:
    return BundleSource(casino, log, verifier(log), now)


def _entries(log: str, rows: QuerySet[Entry]) -> Iterator[BundleEntry]:
    for row in rows.order_by("index").iterator(READ_AT_ONCE):
        yield BundleEntry(row.index, row.header(log), bytes(row.body))


def _counted(entries: Iterable[BundleEntry], total: int, show_progress: Progress) -> Iterator[BundleEntry]:
    for count, entry in enumerate(entries, 1):
        yield entry
        if count % READ_AT_ONCE == 0 or count == total:
            show_progress(count, total)


def _proved(hashes: tiles.TiledHashes, entry: BundleEntry, size: int) -> BundleEntry:
    proof = tiles.inclusion_proof(hashes, entry.index, size)
    return BundleEntry(entry.index, entry.header, entry.body, tuple(proof))


def _checkpoints(log: Log, first: int, size: int) -> Iterator[bytes]:
    """The checkpoints from the first that covers the evidence to the last, thinned out where there are very many.

    A bundle has one key, today's: it begins with the checkpoint by which that key took over, if that was later.
    """
    keys = known_keys(log.slug)
    # A key takes over in a checkpoint that both sign; an epoch's first is signed under its own name alone.
    since = max((one.last_size + (one.key.name != keys.current.name) for one in keys.retired), default=0)
    rows: QuerySet[Any] = SignedCheckpoint.objects.filter(log=log, size__gt=first, size__gte=since, size__lte=size)
    step = max(1, -(-rows.count() // MOST_CHECKPOINTS))
    numbered = rows.annotate(place=Window(RowNumber(), order_by=F("size").desc()) - 1)
    for row in numbered.order_by("size").values_list("place", "note").iterator(READ_AT_ONCE):
        if row[0] % step == 0:
            yield bytes(row[1])
