"""Reports made as a worker makes them, and looked at from outside the service."""

import subprocess
import sys
from pathlib import Path

from django.utils import timezone

from compliance.reports.making import make_waiting
from compliance.reports.models import Report
from compliance.reports.services import ask_for_report
from compliance.reports.verifier import VERIFIER
from tests.compliance.reviews.office import Office


def make(office: Office, kind: str, **chosen: object) -> Report:
    report = ask_for_report(casino=office.casino, kind=kind, chosen=chosen, actor=office.ines, now=timezone.now())
    make_waiting(timezone.now)
    report.refresh_from_db()
    assert report.is_ready, report.failure
    return report


def check(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """With the program that anybody can download, in a Python that knows nothing of ours."""
    program = path.parent / "verify_report.py"
    program.write_bytes(VERIFIER.content)
    return subprocess.run(
        [sys.executable, "-I", program, path, *arguments], capture_output=True, text=True, check=False
    )
