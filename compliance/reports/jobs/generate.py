"""Generation of reports by a worker: writes the pages, records them in the log, attaches the proofs and signs the file.

A worker lost before recording starts again; one lost afterwards only repeats the proofs and the signature.
"""

import shutil
from datetime import datetime
from hashlib import sha256

import structlog
from django.db import transaction

from compliance.core.web.errors import Refusal
from compliance.core.web.files.atomic_write import write_atomically
from compliance.core.web.jobs.job import UNFINISHED, JobState, begin_attempt, fail_job, require_running
from compliance.core.web.jobs.locks import Lock
from compliance.core.web.jobs.runner import ShowProgress, job_progress, run_each
from compliance.core.web.local_time import Clock
from compliance.core.web.pdf.attachments import attach_files
from compliance.core.web.pdf.signer import load_report_key, sign_pdf
from compliance.reports.document import structure as documents
from compliance.reports.document.pdf import render_pdf
from compliance.reports.entry_kinds import MADE, SIGNED
from compliance.reports.jobs.emails import enqueue_report_emails
from compliance.reports.jobs.size_limits import count_rows_within_limit
from compliance.reports.kinds import REPORT_KINDS
from compliance.reports.models import Report, SignedFile
from compliance.reports.offline.verify_report import DOCUMENT, EVIDENCE
from compliance.reports.signing_certificates import record_certificate
from rounds.ledger import append, export, make_entry, read_only_log_slugs, signing, write_row
from rounds.transparency_log.errors import LedgerError

logger = structlog.get_logger(__name__)

NOT_WRITTEN = "The file could not be written. Those who run the service can see why in its log."
# Progress in percent at the end of each phase.
PROGRESS_READ, PROGRESS_DRAWN, PROGRESS_RECORDED = 10, 60, 65


def generate_waiting_reports(clock: Clock) -> int:
    """Generates reports that wait and that no other worker has locked. Returns how many finished or failed."""
    recording = Report.objects.filter(state__in=UNFINISHED).exclude(casino__slug__in=read_only_log_slugs())
    waiting = recording.select_related("casino", "asked_by", "schedule").order_by("asked_at", "pk")
    count = run_each(waiting, Lock.REPORT, lambda report: _generate_report(report, clock))
    _delete_abandoned_pages()
    return count


def _delete_abandoned_pages() -> None:
    """Under the lock of each report, because it may be tried again meanwhile."""
    abandoned = Report.objects.filter(state__in=(JobState.FAILED, JobState.CANCELLED))
    with_pages = [report.pk for report in abandoned.only("pk") if report.path(".pages").exists()]
    run_each(abandoned.filter(pk__in=with_pages), Lock.REPORT, Report.delete_pages)


def _generate_report(report: Report, clock: Clock) -> None:
    try:
        with job_progress(report, clock) as show:
            load_report_key()
            if not report.is_recorded:
                if not _begin_report(report, clock()):
                    return
                _write_pages(report, clock(), show)
            _attach_proofs(report, clock(), show)
    except (LedgerError, Refusal, OSError) as error:
        logger.error("report_not_made", report=report.pk, error=str(error))
        # Once recording has begun, the next run continues.
        if report.state == JobState.RUNNING and not report.log:
            message = error.sentence if isinstance(error, LedgerError) else getattr(error, "detail", "")
            _fail_report(report, message or NOT_WRITTEN, clock())


@transaction.atomic
def _begin_report(report: Report, now: datetime) -> bool:
    is_begun = begin_attempt(report, now)
    if report.state == JobState.FAILED:
        enqueue_report_emails(report, now)
    return is_begun


@transaction.atomic
def _fail_report(report: Report, failure: str, now: datetime) -> None:
    fail_job(report, failure, now)
    enqueue_report_emails(report, now)


def _write_pages(report: Report, now: datetime, show: ShowProgress) -> None:
    """Writes the pages to disk before recording their digests in the log, so that a recorded report can always be
    completed."""
    show(0, Report.total)
    count_rows_within_limit(report.casino, report.kind, report.chosen)
    signing.sign_log(report.casino.slug, now)
    drawn = REPORT_KINDS[report.kind].build(report.casino, report.chosen, now)
    show(PROGRESS_READ, Report.total)
    pages = render_pdf(drawn, lambda page: show(min(PROGRESS_DRAWN, PROGRESS_READ + page), Report.total))
    document = documents.encode_document(drawn.document)
    for suffix, content in ((".pages", pages.content), (".json", document)):
        write_atomically(report.path(suffix), content)
    report.title, report.made_at, report.pages = drawn.document.title[:200], now, pages.count
    report.pages_sha256, report.document_sha256 = sha256(pages.content).hexdigest(), sha256(document).hexdigest()
    _record_report(report, now)
    show(PROGRESS_RECORDED, Report.total)


@transaction.atomic
def _record_report(report: Report, now: datetime) -> None:
    require_running(report)
    report.log = report.casino.slug
    [receipt] = append(report.log, [make_entry(MADE, report.entry_body())], now)
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
                PROGRESS_RECORDED + done * (Report.total - PROGRESS_RECORDED) // max(total, 1), Report.total
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
    write_atomically(report.path(".pdf"), content)
    report.state, report.done, report.ended_at, report.records = JobState.DONE, Report.total, now, written.count
    report.file_bytes, report.file_sha256 = len(content), sha256(content).hexdigest()
    with transaction.atomic():
        report.save()
        enqueue_report_emails(report, now)
        _record_signed_file(report, certificate.certificate_sha256, now)
    report.path(".pages").unlink(missing_ok=True)


def _record_signed_file(report: Report, certificate_sha256: str, now: datetime) -> None:
    row = SignedFile(report=report, file_sha256=report.file_sha256, certificate_sha256=certificate_sha256, at=now)
    write_row(row, kind=SIGNED, log=report.log, now=now)
