"""Generation of reports by a worker: writes the pages, records them in the log, attaches the proofs and signs the file.

A worker lost before recording starts again; one lost afterwards only repeats the proofs and the signature.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import structlog
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from compliance.core.web.errors import Refusal
from compliance.core.web.jobs.locks import advisory_lock
from compliance.core.web.local_time import Clock
from compliance.core.web.pdf.signer import load_report_key, sign_pdf
from compliance.reports.document import structure as documents
from compliance.reports.jobs.emails import enqueue_emails
from compliance.reports.jobs.size_limits import count_rows_within_limit
from compliance.reports.kinds import REPORT_KINDS
from compliance.reports.models import MADE, PROGRESS_STEPS, SIGNED, Report, SignedFile
from compliance.reports.offline.verify_report import DOCUMENT, EVIDENCE
from compliance.reports.pdf.attach import attach_files
from compliance.reports.pdf.render import render_pdf
from compliance.reports.signing_certificates import record_certificate
from compliance.reports.states import UNFINISHED, State
from rounds.ledger import LedgerError, append, export, make_entry, read_only_log_slugs, signing, write_row

logger = structlog.get_logger(__name__)

ShowProgress = Callable[[int], None]
# Advisory-lock number, unique in the service; the second key is the report.
GENERATION_LOCK = 0x52455054
MAX_ATTEMPTS = 3
PROGRESS_INTERVAL = timedelta(seconds=1)
NOT_WRITTEN = "The file could not be written. Those who run the service can see why in its log."
# Progress in percent at the end of each phase.
PROGRESS_READ, PROGRESS_DRAWN, PROGRESS_RECORDED = 10, 60, 65


def generate_waiting_reports(clock: Clock) -> int:
    """Generates reports that wait and that no other worker has locked. Returns how many finished or failed."""
    recording = Report.objects.exclude(casino__slug__in=read_only_log_slugs())
    waiting = recording.filter(state__in=UNFINISHED).order_by("asked_at", "pk").values_list("pk", flat=True)
    return sum(_generate_if_unlocked(pk, clock) for pk in list(waiting))


def _generate_if_unlocked(pk: int, clock: Clock) -> bool:
    with advisory_lock(GENERATION_LOCK, pk) as is_ours:
        if not is_ours:
            return False
        report = Report.objects.select_related("casino", "asked_by", "schedule").get(pk=pk)
        if not report.is_unfinished:
            return False
        _generate_report(report, clock)
        return True


def _generate_report(report: Report, clock: Clock) -> None:
    try:
        with _progress_writer(report, clock) as show:
            load_report_key()
            if report.state != State.RECORDED:
                if not _begin_attempt(report, clock()):
                    return
                _write_pages(report, clock(), show)
            _attach_proofs(report, clock(), show)
    except (LedgerError, Refusal, OSError) as error:
        logger.error("report_not_made", report=report.pk, error=str(error))
        if report.state == State.MAKING:
            message = error.sentence if isinstance(error, LedgerError) else getattr(error, "detail", "")
            _fail_report(
                report,
                clock(),
                message or NOT_WRITTEN,
            )


def _begin_attempt(report: Report, now: datetime) -> bool:
    if report.attempts >= MAX_ATTEMPTS:
        if report.state == State.WAITING:
            Report.objects.filter(pk=report.pk).update(state=State.MAKING)
        _fail_report(report, now, "It was begun three times and never finished.")
        return False
    report.state, report.attempts, report.done = State.MAKING, report.attempts + 1, 0
    report.save(update_fields=["state", "attempts", "done"])
    return True


def _write_pages(report: Report, now: datetime, show: ShowProgress) -> None:
    """Writes the pages to disk before recording their digests in the log, so that a recorded report can always be
    completed."""
    count_rows_within_limit(report.casino, report.kind, report.chosen)
    signing.sign_log(report.casino.slug, now)
    drawn = REPORT_KINDS[report.kind].build(report.casino, report.chosen, now)
    show(PROGRESS_READ)
    pages, count = render_pdf(drawn, lambda page: show(min(PROGRESS_DRAWN, PROGRESS_READ + page)))
    document = documents.encode_document(drawn.document)
    for suffix, content in ((".pages", pages), (".json", document)):
        _write_atomically(report.path(suffix), content)
    report.title, report.made_at, report.pages = drawn.document.title[:200], now, count
    report.pages_sha256, report.document_sha256 = sha256(pages).hexdigest(), sha256(document).hexdigest()
    _record_report(report, now)
    show(PROGRESS_RECORDED)


@transaction.atomic
def _record_report(report: Report, now: datetime) -> None:
    report.state, report.log = State.RECORDED, report.casino.slug
    [receipt] = append(report.log, [make_entry(MADE.name, report.entry_body())], now)
    report.entry_index = receipt.index
    report.save()


def _attach_proofs(report: Report, now: datetime, show: ShowProgress) -> None:
    document = report.path(".json").read_bytes()
    entries = documents.decode_document(document).entries
    assert report.entry_index is not None
    certificate = record_certificate(report.log, load_report_key(), now)
    folder = report.path(".evidence")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        written = export.export_selection(
            log=report.log,
            indexes=[*entries, report.entry_index, certificate.entry_index],
            folder=folder,
            casino=report.casino.name,
            now=now,
            show_progress=lambda done, total: show(
                PROGRESS_RECORDED + done * (PROGRESS_STEPS - PROGRESS_RECORDED) // max(total, 1)
            ),
        )
        files = {DOCUMENT: document} | {
            f"{EVIDENCE}{path.relative_to(folder).as_posix()}": path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    content = sign_pdf(attach_files(report.path(".pages").read_bytes(), files), now)
    _write_atomically(report.path(".pdf"), content)
    report.state, report.done, report.records = State.READY, PROGRESS_STEPS, written.count
    report.file_bytes, report.file_sha256 = len(content), sha256(content).hexdigest()
    with transaction.atomic():
        report.save()
        enqueue_emails(report, now)
        _record_signed_file(report, certificate.certificate_sha256, now)
    report.path(".pages").unlink(missing_ok=True)


def _record_signed_file(report: Report, certificate_sha256: str, now: datetime) -> None:
    row = SignedFile(report=report, file_sha256=report.file_sha256, certificate_sha256=certificate_sha256, at=now)
    write_row(row, kind=SIGNED.name, log=report.log, now=now)


def _write_atomically(path: Path, content: bytes) -> None:
    """Atomic write: renames a complete temporary file into place."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_bytes(content)
    unfinished.chmod(0o600)
    unfinished.replace(path)


@transaction.atomic
def _fail_report(report: Report, now: datetime, why: str) -> None:
    report.state, report.failure = State.FAILED, why
    report.save(update_fields=["state", "failure"])
    enqueue_emails(report, now)


@contextmanager
def _progress_writer(report: Report, clock: Clock) -> Iterator[ShowProgress]:
    """Saves progress over a separate connection, because changes in the worker's own transactions are not visible
    before commit."""
    saved_at = clock()
    side = connections.create_connection(DEFAULT_DB_ALIAS)

    def save_progress(done: int) -> None:
        nonlocal saved_at
        if clock() - saved_at >= PROGRESS_INTERVAL:
            saved_at = clock()
            with side.cursor() as cursor:
                cursor.execute("UPDATE reports_report SET done = %s WHERE id = %s", [done, report.pk])

    try:
        yield save_progress
    finally:
        side.close()
