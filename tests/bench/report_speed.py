"""How long reports of many findings take, and how much memory. Not part of the suite: run it by name.

.venv/bin/pytest tests/bench/report_speed.py -n0 -s [FINDINGS=5000] [KEEP=folder for the files]
"""

import multiprocessing
import os
import resource
import shutil
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from compliance.reports.making import make_waiting
from compliance.reports.models import Report
from compliance.reports.services import ask_for_report
from compliance.reviews.models import Review
from compliance.reviews.outcomes import Outcome
from compliance.reviews.services import Decided, decide_together
from rounds.intake.kinds.lines import write_line
from rounds.ledger.appending import NewEntry, append
from tests.compliance.audit.house import CONTROLLER, NOW, House, shifted
from tests.compliance.audit.play import NSW, played, wager
from tests.compliance.reports.making import check
from tests.compliance.reviews.conftest import committed_crew, committed_house, committed_office, quick_passwords
from tests.compliance.reviews.office import Office

__all__ = ["committed_crew", "committed_house", "committed_office", "quick_passwords"]

FINDINGS = int(os.environ.get("FINDINGS", "5000"))
BATCH = 500


def lay_out(house: House) -> None:
    for first in range(1, FINDINGS + 1, BATCH):
        batch = []
        for number in range(first, min(first + BATCH, FINDINGS + 1)):
            body = played(NSW, (4, 2, 4), wager("small", 2_500, 5_100, id=f"w-{number}"), round=f"r-{number}")
            body = shifted(body, timedelta(seconds=90 * number))
            line = write_line(kind="round", table="sb-1", sequence=number, at=body.events[-1].at, body=body)
            batch.append(NewEntry(kind="round", body=line, table="sb-1", controller=CONTROLLER, sequence=number))
        with transaction.atomic():
            append("harbour", batch, NOW)


def make_apart(done: object) -> None:
    """In a process of its own, so that its memory is its own."""
    connection.close()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, cpu = time.perf_counter(), time.process_time()
    make_waiting(timezone.now)
    taken, cpu = time.perf_counter() - began, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done.put((taken, cpu, before // 1024, peak // 1024))  # type: ignore[attr-defined]
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_reports_of_many_findings(committed_office: Office, settings: Settings, tmp_path: Path) -> None:
    settings.REPORTS_DIR = tmp_path / "reports"
    office = committed_office
    office.house.open_table()
    lay_out(office.house)
    office.audit()
    decided = Decided(outcome=Outcome.UPHELD, reason="configuration", note="One wrong odd.")
    some = Review.objects.filter(pk__in=Review.objects.values("pk")[: FINDINGS // 3])
    decide_together(
        casino=office.casino, group=some, decided=decided, expected=FINDINGS // 3, actor=office.ines, now=office.now
    )
    for kind, chosen in (("discrepancies", {}), ("daily", {"day": "2026-11-16"}), ("certificate", {})):
        ask_for_report(casino=office.casino, kind=kind, chosen=chosen, actor=office.ines, now=timezone.now())
        connection.close()
        context = multiprocessing.get_context("fork")
        done = context.Queue()
        worker = context.Process(target=make_apart, args=(done,))
        worker.start()
        taken, cpu, before, peak = done.get()
        worker.join()
        report = Report.objects.get(kind=kind)
        assert report.is_ready, report.failure
        began = time.perf_counter()
        assert check(report.path(".pdf")).returncode == 0
        print(
            f"\n{kind}: {report.pages} pages, {report.records:,} records, {(report.file_bytes or 0) / 1e6:.1f} MB "
            f"in {taken:.1f} s ({cpu:.1f} s of CPU), {before} to {peak} MB; "
            f"checked offline in {time.perf_counter() - began:.1f} s, "
            f"load {os.getloadavg()[0]:.1f}"
        )
        if keep := os.environ.get("KEEP"):
            Path(keep).mkdir(parents=True, exist_ok=True)
            shutil.copy(report.path(".pdf"), Path(keep) / f"{kind}-{FINDINGS}.pdf")
