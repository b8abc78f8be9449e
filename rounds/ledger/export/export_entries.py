"""Exports a range of a log, or selected entries, from the database as an evidence bundle.

Everything is read through server-side cursors: memory use does not grow with the size of the export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Min, QuerySet, Window
from django.db.models.functions import RowNumber

from rounds.ledger import storage
from rounds.ledger.errors import BundleError
from rounds.ledger.export.bundle_writer import BundleEntry, BundleSource, WrittenBundle, write_bundle
from rounds.ledger.export.completeness import related_entry_indexes
from rounds.ledger.export.rule_pack_sources import rule_packs_up_to
from rounds.ledger.models import Entry, Log, SignedCheckpoint
from rounds.ledger.read_only import is_read_only
from rounds.ledger.readers.progress_bar import ProgressCallback, no_progress
from rounds.ledger.signing.checkpoints import known_keys_for, sign_or_last_valid, verifier_key_for
from rounds.ledger.storage import get_log
from rounds.transparency_log.formats.signed_note import open_checkpoint
from rounds.transparency_log.offline.feed_completeness import FeedTable
from rounds.transparency_log.tree import tiles

CHUNK_SIZE = 100
# A verifier in pure Python needs some milliseconds for each. Beyond this number every n-th is written.
MAX_CHECKPOINTS = 1000

RulePacks = Iterable[tuple[str, bytes]]


def export_range(
    *,
    log: str,
    first: int,
    last: int,
    folder: Path,
    casino: str,
    now: datetime,
    packs: RulePacks = (),
    show_progress: ProgressCallback = no_progress,
) -> WrittenBundle:
    """Export all of entries first..last-1, with the proof that none is missing."""
    stored_log, size = _sign_for_export(log, now)
    if not 0 <= first < last <= size:
        raise BundleError("no-such-range", f"{_describe_size(log, size)}: {first} to {last} is no range of them.")
    with transaction.atomic():
        rows = _bundle_entries(log, Entry.objects.filter(log=stored_log, index__gte=first, index__lt=last))

        def find_related(feeds: FeedTable) -> Iterator[BundleEntry]:
            related = Entry.objects.filter(
                log=stored_log, index__in=related_entry_indexes(stored_log, feeds, first, last)
            )
            hashes = storage.stored_hashes(stored_log, size)
            return (_with_inclusion_proof(hashes, entry, size) for entry in _bundle_entries(log, related))

        return write_bundle(
            folder,
            _bundle_source(log, casino, now),
            entries=_report_progress(rows, last - first, show_progress),
            checkpoints=_checkpoints_covering(stored_log, first, size),
            prove_consistency=lambda one, other: storage.consistency_proof(stored_log, one, other),
            range_proof=storage.range_proof(stored_log, first, last, size),
            packs=[*packs, *rule_packs_up_to(log, last)],
            find_related=find_related,
        )


def export_selection(
    *,
    log: str,
    indexes: Sequence[int],
    folder: Path,
    casino: str,
    now: datetime,
    packs: RulePacks = (),
    show_progress: ProgressCallback = no_progress,
) -> WrittenBundle:
    """Export only these entries, each with its own inclusion proof. Reveals nothing about the entries between them."""
    stored_log, size = _sign_for_export(log, now)
    chosen_indexes = sorted(set(indexes))
    if not chosen_indexes or chosen_indexes[0] < 0 or chosen_indexes[-1] >= size:
        raise BundleError("no-such-entry", f"{_describe_size(log, size)}, from 0 on: not all of those chosen.")
    with transaction.atomic():
        chosen = _bundle_entries(log, Entry.objects.filter(log=stored_log, index__in=chosen_indexes))
        # One reader for all proofs: neighbouring proofs share tiles, and each tile is fetched once.
        hashes = storage.stored_hashes(stored_log, size)
        return write_bundle(
            folder,
            _bundle_source(log, casino, now),
            entries=_report_progress(
                (_with_inclusion_proof(hashes, entry, size) for entry in chosen), len(chosen_indexes), show_progress
            ),
            checkpoints=_checkpoints_covering(stored_log, chosen_indexes[0], size),
            prove_consistency=lambda one, other: storage.consistency_proof(stored_log, one, other),
            packs=[*packs, *rule_packs_up_to(log, chosen_indexes[-1] + 1)],
        )


def first_index_at(log: str, moment: datetime) -> int:
    """The first entry recorded at or after the moment; the size of the log if there is none."""
    first = Entry.objects.filter(log=get_log(log), recorded_at__gte=moment).aggregate(index=Min("index"))["index"]
    return storage.head_of(get_log(log)).size if first is None else first


def end_index_before(log: str, moment: datetime) -> int:
    """The index after the last entry recorded before the moment."""
    last = Entry.objects.filter(log=get_log(log), recorded_at__lt=moment).aggregate(index=Max("index"))["index"]
    return 0 if last is None else last + 1


def exportable_size(log: str, now: datetime) -> int:
    """How many entries can be exported: all of them, or, of a read-only log,
    those that its last valid checkpoint covers.
    """
    return _sign_for_export(log, now)[1]


def _describe_size(log: str, size: int) -> str:
    return f"{log} {'is read-only and signed for' if is_read_only(log) else 'has'} {size} entries"


def _sign_for_export(log: str, now: datetime) -> tuple[Log, int]:
    """Sign a checkpoint now, so that the export covers the newest entries too. Returns the log and the size signed.

    A read-only log cannot sign: its exports use the newest checkpoint that still matches its entries.
    """
    return get_log(log), open_checkpoint(sign_or_last_valid(log, now), verifier_key_for(log)).head.size


def _bundle_source(log: str, casino: str, now: datetime) -> BundleSource:
    return BundleSource(casino, log, verifier_key_for(log), now)


def _bundle_entries(log: str, rows: QuerySet[Entry]) -> Iterator[BundleEntry]:
    for row in rows.order_by("index").iterator(CHUNK_SIZE):
        yield BundleEntry(row.index, row.header(log), bytes(row.body))


def _report_progress(
    entries: Iterable[BundleEntry], total: int, show_progress: ProgressCallback
) -> Iterator[BundleEntry]:
    for count, entry in enumerate(entries, 1):
        yield entry
        if count % CHUNK_SIZE == 0 or count == total:
            show_progress(count, total)


def _with_inclusion_proof(hashes: tiles.TileReader, entry: BundleEntry, size: int) -> BundleEntry:
    proof = tiles.inclusion_proof(hashes, entry.index, size)
    return BundleEntry(entry.index, entry.header, entry.body, tuple(proof))


def _checkpoints_covering(log: Log, first: int, size: int) -> Iterator[bytes]:
    """The checkpoints from the first that covers the entries to the last, thinned out if there are very many.

    A bundle names a single key, the current one. It therefore starts at the earliest with the checkpoint in which that
    key took over.
    """
    keys = known_keys_for(log.slug)
    # At a key rotation both keys sign the last checkpoint. The first checkpoint of an epoch is signed under the new
    # name only.
    since = max((one.last_size + (one.key.name != keys.current.name) for one in keys.retired), default=0)
    rows: QuerySet[Any] = SignedCheckpoint.objects.filter(log=log, size__gt=first, size__gte=since, size__lte=size)
    step = max(1, -(-rows.count() // MAX_CHECKPOINTS))
    numbered = rows.annotate(place=Window(RowNumber(), order_by=F("size").desc()) - 1)
    for row in numbered.order_by("size").values_list("place", "note").iterator(CHUNK_SIZE):
        if row[0] % step == 0:
            yield bytes(row[1])
