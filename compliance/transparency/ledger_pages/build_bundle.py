"""Builds bundles: a worker writes and zips one, and records it. If the worker dies, another starts over."""

import shutil
import zipfile
from datetime import datetime
from hashlib import file_digest
from pathlib import Path

import structlog
from django.conf import settings
from django.db import transaction

from compliance.core.web.files.atomic_write import atomic_writer
from compliance.core.web.jobs.job import UNFINISHED, JobCancelled, JobState, begin_attempt, fail_job, require_running
from compliance.core.web.jobs.locks import Lock
from compliance.core.web.jobs.runner import job_progress, run_each
from compliance.core.web.local_time import Clock
from compliance.transparency.ledger_pages.entry_kinds import BUNDLE_EXPORTED
from compliance.transparency.ledger_pages.models import RETENTION, Bundle
from rounds.ledger import append, export, make_entry, read_only_log_slugs, readers
from rounds.transparency_log.errors import LedgerError

logger = structlog.get_logger(__name__)


def build_queued_bundles(clock: Clock) -> int:
    """Build the queued bundles that no other worker has locked.

    Returns how many were finished, failed ones included.
    """
    recording = Bundle.objects.filter(state__in=UNFINISHED).exclude(casino__slug__in=read_only_log_slugs())
    waiting = recording.select_related("casino").order_by("asked_at", "pk")
    return run_each(waiting, Lock.BUNDLE, lambda bundle: _build_bundle(bundle, clock))


def _build_bundle(bundle: Bundle, clock: Clock) -> None:
    if not begin_attempt(bundle, clock()):
        return
    try:
        _write_and_record(bundle, clock)
    except JobCancelled:
        bundle.path.unlink(missing_ok=True)
        raise


def _write_and_record(bundle: Bundle, clock: Clock) -> None:
    folder = bundle.path.with_suffix(".part")
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with job_progress(bundle, clock) as show:
            show(0, bundle.total)
            size = _export_folder(bundle, folder / bundle.name, clock(), show)
        _zip_folder(folder, bundle.path)
    except LedgerError as error:
        fail_job(bundle, error.sentence, clock())
    except OSError as error:
        logger.error("bundle_not_written", bundle=bundle.pk, error=str(error))
        fail_job(bundle, "The file could not be written. Those who run the service can see why in its log.", clock())
    else:
        _record_bundle(bundle, size, clock())
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
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    with (
        atomic_writer(target, temporary_folder=folder) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        for path in paths:
            archive.write(path, path.relative_to(folder))


@transaction.atomic
def _record_bundle(bundle: Bundle, size: int, now: datetime) -> None:
    with bundle.path.open("rb") as file:
        bundle.file_sha256 = file_digest(file, "sha256").hexdigest()
    bundle.file_bytes = bundle.path.stat().st_size
    bundle.checkpoint_size, bundle.done, bundle.log = size, bundle.total, bundle.casino.slug
    bundle.state, bundle.prepared_at, bundle.ended_at = JobState.DONE, now, now
    require_running(bundle)
    [receipt] = append(bundle.log, [make_entry(BUNDLE_EXPORTED, bundle.entry_body())], now)
    bundle.entry_index = receipt.index
    bundle.save()


def remove_expired_files(now: datetime) -> int:
    """Delete files older than seven days and what dead workers left behind. Returns how many bundles were affected."""
    with_file = Bundle.objects.filter(state=JobState.DONE, removed_at=None)
    count = with_file.filter(prepared_at__lte=now - RETENTION).update(removed_at=now)
    # Listed before the query: a bundle that is tried again meanwhile keeps its new file.
    paths = list(Path(settings.EVIDENCE_DIR).glob("*"))
    current = with_file | Bundle.objects.filter(state__in=UNFINISHED)
    current_ids = {str(pk) for pk in current.values_list("pk", flat=True)}
    for path in paths:
        if path.name.partition(".")[0] not in current_ids:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return count
