"""Builds bundles: a worker claims one, writes and zips it, and records it. If the worker dies, another starts over.

A session-level advisory lock marks a bundle as claimed; PostgreSQL releases it when the worker's session ends.
"""

import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import file_digest
from pathlib import Path

import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from compliance.core.web.jobs.locks import advisory_lock
from compliance.core.web.local_time import Clock
from compliance.transparency.ledger_pages.models import BUNDLE_EXPORTED, RETENTION, Bundle
from compliance.transparency.ledger_pages.states import UNFINISHED, BundleState
from rounds.ledger import LedgerError, append, export, make_entry, read_only_log_slugs, readers

logger = structlog.get_logger(__name__)

# Advisory lock number, unique within the service. The second key is the bundle's id.
BUILD_LOCK = 0x45564944
MAX_ATTEMPTS = 3
REPORT_INTERVAL = timedelta(seconds=1)


def build_queued_bundles(clock: Clock) -> int:
    """Build the queued bundles that no other worker has locked.

    Returns how many were finished, failed ones included.
    """
    recording = Bundle.objects.exclude(casino__slug__in=read_only_log_slugs())
    waiting = recording.filter(state__in=UNFINISHED).order_by("asked_at", "pk").values_list("pk", flat=True)
    return sum(_build_if_unlocked(pk, clock) for pk in list(waiting))


def _build_if_unlocked(pk: int, clock: Clock) -> bool:
    with advisory_lock(BUILD_LOCK, pk) as is_ours:
        if not is_ours:
            return False
        bundle = Bundle.objects.select_related("casino").get(pk=pk)
        if not bundle.is_unfinished:
            return False
        _build_bundle(bundle, clock)
        return True


def _build_bundle(bundle: Bundle, clock: Clock) -> None:
    folder = bundle.path.with_suffix(".part")
    if bundle.attempts >= MAX_ATTEMPTS:
        _mark_failed(bundle, "It was begun three times and never finished.")
        return
    bundle.state, bundle.attempts, bundle.done = BundleState.PREPARING, bundle.attempts + 1, 0
    bundle.save(update_fields=["state", "attempts", "done"])
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _progress_reporter(bundle, clock) as report:
            size = _export_folder(bundle, folder / bundle.name, clock(), report)
        _zip_folder(folder, bundle.path)
    except LedgerError as error:
        _mark_failed(bundle, error.sentence)
    except OSError as error:
        logger.error("bundle_not_written", bundle=bundle.pk, error=str(error))
        _mark_failed(bundle, "The file could not be written. Those who run the service can see why in its log.")
    else:
        _mark_ready(bundle, size, clock())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _export_folder(bundle: Bundle, folder: Path, now: datetime, report: readers.ProgressCallback) -> int:
    """Write the folder. Returns the size of the checkpoint that the proofs refer to."""
    casino = bundle.casino
    if bundle.first_day is not None and bundle.last_day is not None:
        # Imported here because it takes a quarter of a second, and no other kind of bundle needs it.
        from compliance.analysis.parquet.export_days import export_days

        return export_days(
            casino=casino,
            first_day=bundle.first_day,
            last_day=bundle.last_day,
            folder=folder,
            now=now,
            before=bundle.end_index,
            show_progress=report,
        ).size
    if bundle.chosen is not None:
        return export.export_selection(
            log=casino.slug, indexes=bundle.chosen, folder=folder, casino=casino.name, now=now, show_progress=report
        ).size
    return export.export_range(
        log=casino.slug,
        first=bundle.first_index,
        last=bundle.end_index,
        folder=folder,
        casino=casino.name,
        now=now,
        show_progress=report,
    ).size


def _zip_folder(folder: Path, target: Path) -> None:
    """Zip the folder, with an atomic rename at the end."""
    unfinished = target.with_suffix(".zip.part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    unfinished.chmod(0o600)
    unfinished.replace(target)


@transaction.atomic
def _mark_ready(bundle: Bundle, size: int, now: datetime) -> None:
    with bundle.path.open("rb") as file:
        bundle.file_sha256 = file_digest(file, "sha256").hexdigest()
    bundle.file_bytes = bundle.path.stat().st_size
    bundle.checkpoint_size = size
    bundle.state, bundle.prepared_at, bundle.done, bundle.log = BundleState.READY, now, bundle.total, bundle.casino.slug
    [receipt] = append(bundle.log, [make_entry(BUNDLE_EXPORTED.name, bundle.entry_body())], now)
    bundle.entry_index = receipt.index
    bundle.save()


def _mark_failed(bundle: Bundle, why: str) -> None:
    bundle.state, bundle.failure = BundleState.FAILED, why
    bundle.save(update_fields=["state", "failure"])


@contextmanager
def _progress_reporter(bundle: Bundle, clock: Clock) -> Iterator[readers.ProgressCallback]:
    """Writes progress for the page over a separate connection:
    the export's own transaction is invisible until it commits.
    """
    reported = clock()
    side = connections.create_connection(DEFAULT_DB_ALIAS)

    def report(done: int, total: int) -> None:
        nonlocal reported
        if clock() - reported >= REPORT_INTERVAL:
            reported = clock()
            with side.cursor() as cursor:
                cursor.execute("UPDATE evidence_bundle SET done = %s WHERE id = %s", [done, bundle.pk])

    try:
        yield report
    finally:
        side.close()


def remove_expired_files(now: datetime) -> int:
    """Delete files older than seven days and what dead workers left behind. Returns how many bundles were affected."""
    old = Bundle.objects.filter(state=BundleState.READY, prepared_at__lte=now - RETENTION)
    count = old.update(state=BundleState.REMOVED, removed_at=now)
    current = Bundle.objects.filter(state__in=UNFINISHED | {BundleState.READY})
    current_ids = {str(pk) for pk in current.values_list("pk", flat=True)}
    for path in Path(settings.EVIDENCE_DIR).glob("*"):
        if path.name.partition(".")[0] not in current_ids:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return count
