"""Writing bundles: a worker takes one, writes and packs it, and records it. Lost half-way, it is begun again.

A worker holds a bundle by an advisory lock of its database session, which ends with the worker, however that ends.
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
from rounds.ledger import LedgerError, append, export, make_entry, read_only_log_slugs, reading

logger = structlog.get_logger(__name__)

# Any number that no other advisory lock of the service uses; the second key is the bundle.
BUILD_LOCK = 0x45564944
MAX_ATTEMPTS = 3
REPORT_INTERVAL = timedelta(seconds=1)


def build_queued_bundles(clock: Clock) -> int:
    """Prepare whatever waits and nobody else prepares; how many were finished, one way or the other."""
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


def _export_folder(bundle: Bundle, folder: Path, now: datetime, report: reading.ProgressCallback) -> int:
    """How many entries the checkpoint has that it is held to."""
    casino = bundle.casino
    if bundle.first_day is not None and bundle.last_day is not None:
        # Its columns take a quarter of a second to import, which no other bundle needs.
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
    """As a zip file, which every computer opens; in its place only once it is whole."""
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
def _progress_reporter(bundle: Bundle, clock: Clock) -> Iterator[reading.ProgressCallback]:
    """Progress for the page, over a connection of its own: the export's own transaction shows nothing until its end."""
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
    """Remove the files whose seven days are over, and what a lost worker left behind; how many bundles that were."""
    old = Bundle.objects.filter(state=BundleState.READY, prepared_at__lte=now - RETENTION)
    count = old.update(state=BundleState.REMOVED, removed_at=now)
    kept = Bundle.objects.filter(state__in=UNFINISHED | {BundleState.READY})
    wanted = {str(pk) for pk in kept.values_list("pk", flat=True)}
    for path in Path(settings.EVIDENCE_DIR).glob("*"):
        if path.name.partition(".")[0] not in wanted:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return count
