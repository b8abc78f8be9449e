"""Making reports: a worker takes one, writes its pages, records them, and attaches the proofs.

Lost before the pages are recorded, it is begun again; lost afterwards, only the proofs are attached again. The file is
signed last, over all that it holds.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import structlog
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from compliance.reports import document as documents
from compliance.reports.attaching import attach
from compliance.reports.certificates import record_certificate
from compliance.reports.contents import KINDS
from compliance.reports.letters import post_letters
from compliance.reports.models import MADE, SIGNED, STEPS, Report, SignedFile
from compliance.reports.pages import render
from compliance.reports.sizes import rows_in
from compliance.reports.states import UNFINISHED, State
from compliance.reports.verify_report import DOCUMENT, EVIDENCE
from compliance.web.errors import Refusal
from compliance.web.held import held
from compliance.web.moments import Clock
from compliance.web.signing import report_key, signed
from rounds.ledger.appending import append, record
from rounds.ledger.checkpoints import sign_now
from rounds.ledger.errors import LedgerError
from rounds.ledger.exporting import export_selection
from rounds.ledger.read_only import read_only_logs
from rounds.ledger.rows import write_row

logger = structlog.get_logger(__name__)

Show = Callable[[int], None]
# Any number that no other kind of work uses; the second key is the report.
MAKING_LOCK = 0x52455054
MOST_ATTEMPTS = 3
REPORT_EVERY = timedelta(seconds=1)
NOT_WRITTEN = "The file could not be written. Those who run the service can see why in its log."
# How far each part of the work takes the bar on the page.
READ, DRAWN, RECORDED = 10, 60, 65


def make_waiting(clock: Clock) -> int:
    """Make whatever waits and nobody else makes; how many were finished, one way or the other."""
    recording = Report.objects.exclude(casino__slug__in=read_only_logs())
    waiting = recording.filter(state__in=UNFINISHED).order_by("asked_at", "pk").values_list("pk", flat=True)
    return sum(_make_if_free(pk, clock) for pk in list(waiting))


def _make_if_free(pk: int, clock: Clock) -> bool:
    with held(MAKING_LOCK, pk) as is_ours:
        if not is_ours:
            return False
        report = Report.objects.select_related("casino", "asked_by", "schedule").get(pk=pk)
        if not report.is_unfinished:
            return False
        _make(report, clock)
        return True


def _make(report: Report, clock: Clock) -> None:
    try:
        with _showing(report, clock) as show:
            report_key()
            if report.state != State.RECORDED:
                if not _begin(report, clock()):
                    return
                _write_pages(report, clock(), show)
            _attach_proofs(report, clock(), show)
    except (LedgerError, Refusal, OSError) as error:
        logger.error("report_not_made", report=report.pk, error=str(error))
        if report.state == State.MAKING:
            words = error.sentence if isinstance(error, LedgerError) else getattr(error, "detail", "")
            _fail(
                report,
                clock(),
                words or NOT_WRITTEN,
            )


def _begin(report: Report, now: datetime) -> bool:
    if report.attempts >= MOST_ATTEMPTS:
        if report.state == State.WAITING:
            Report.objects.filter(pk=report.pk).update(state=State.MAKING)
        _fail(report, now, "It was begun three times and never finished.")
        return False
    report.state, report.attempts, report.done = State.MAKING, report.attempts + 1, 0
    report.save(update_fields=["state", "attempts", "done"])
    return True


def _write_pages(report: Report, now: datetime, show: Show) -> None:
    """The pages on disk first, then their digests in the log: what is recorded can always be finished."""
    rows_in(report.casino, report.kind, report.chosen)
    sign_now(report.casino.slug, now)
    drawn = KINDS[report.kind].build(report.casino, report.chosen, now)
    show(READ)
    pages, count = render(drawn, lambda page: show(min(DRAWN, READ + page)))
    said = documents.encode(drawn.document)
    for suffix, content in ((".pages", pages), (".json", said)):
        _put(report.path(suffix), content)
    report.title, report.made_at, report.pages = drawn.document.title[:200], now, count
    report.pages_sha256, report.document_sha256 = sha256(pages).hexdigest(), sha256(said).hexdigest()
    _record(report, now)
    show(RECORDED)


@transaction.atomic
def _record(report: Report, now: datetime) -> None:
    report.state, report.log = State.RECORDED, report.casino.slug
    [receipt] = append(report.log, [record(MADE.name, report.as_record())], now)
    report.entry_index = receipt.index
    report.save()


def _attach_proofs(report: Report, now: datetime, show: Show) -> None:
    said = report.path(".json").read_bytes()
    entries = documents.decode(said).entries
    assert report.entry_index is not None
    certificate = record_certificate(report.log, report_key(), now)
    folder = report.path(".evidence")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        written = export_selection(
            log=report.log, indexes=[*entries, report.entry_index, certificate.entry_index], folder=folder,
            casino=report.casino.name, now=now,
            show_progress=lambda done, total: show(RECORDED + done * (STEPS - RECORDED) // max(total, 1)),
        )  # fmt: skip
        files = {DOCUMENT: said} | {
            f"{EVIDENCE}{path.relative_to(folder).as_posix()}": path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    content = signed(attach(report.path(".pages").read_bytes(), files), now)
    _put(report.path(".pdf"), content)
    report.state, report.done, report.records = State.READY, STEPS, written.count
    report.file_bytes, report.file_sha256 = len(content), sha256(content).hexdigest()
    with transaction.atomic():
        report.save()
        post_letters(report, now)
        _record_signed(report, certificate.certificate_sha256, now)
    report.path(".pages").unlink(missing_ok=True)


def _record_signed(report: Report, certificate_sha256: str, now: datetime) -> None:
    row = SignedFile(report=report, file_sha256=report.file_sha256, certificate_sha256=certificate_sha256, at=now)
    write_row(row, kind=SIGNED.name, log=report.log, now=now)


def _put(path: Path, content: bytes) -> None:
    """In its place only once it is whole."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_bytes(content)
    unfinished.chmod(0o600)
    unfinished.replace(path)


@transaction.atomic
def _fail(report: Report, now: datetime, why: str) -> None:
    report.state, report.failure = State.FAILED, why
    report.save(update_fields=["state", "failure"])
    post_letters(report, now)


@contextmanager
def _showing(report: Report, clock: Clock) -> Iterator[Show]:
    """Progress for the page, over a connection of its own: the work's own transactions show nothing until their end."""
    shown = clock()
    side = connections.create_connection(DEFAULT_DB_ALIAS)

    def show(done: int) -> None:
        nonlocal shown
        if clock() - shown >= REPORT_EVERY:
            shown = clock()
            with side.cursor() as cursor:
                cursor.execute("UPDATE reports_report SET done = %s WHERE id = %s", [done, report.pk])

    try:
        yield show
    finally:
        side.close()
