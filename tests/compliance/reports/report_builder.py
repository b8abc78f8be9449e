"""Helpers: generate reports as a worker does, and verify them from outside the service."""

import subprocess
import sys
from pathlib import Path

from django.utils import timezone

from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.jobs.request import request_report
from compliance.reports.models import Report
from compliance.reports.offline.single_file_verifier import VERIFIER
from tests.compliance.inspection.reviews.scenario import ReviewScenario


def make_report(office: ReviewScenario, kind: str, **chosen: object) -> Report:
    report = request_report(casino=office.casino, kind=kind, chosen=chosen, actor=office.ines, now=timezone.now())
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert report.is_done, report.failure
    return report


def verify_offline(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the downloadable verifier in an isolated Python process, without this code base."""
    program = path.parent / "verify_report.py"
    program.write_bytes(VERIFIER.content)
    return subprocess.run(
        [sys.executable, "-I", program, path, *arguments], capture_output=True, text=True, check=False
    )
