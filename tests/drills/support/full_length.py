"""Runs as a drill, at full length and with its own servers, tests that `make test` runs in short.

Tests ask `times` how often to try something and report to `tally`; the drill prints the sums.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

from compliance.config.environment import PROJECT, VARIABLES
from tests.drills.support.verdict import Verdict

# For starting servers, migrating, and the test in progress when the time is up.
GRACE_SECONDS = 300


def seed() -> int:
    return int(os.environ.get("DRILL_SEED", "1"))


def is_full_length() -> bool:
    return "DRILL_TALLY" in os.environ


def repetitions(short: int, *, full: int) -> int:
    return full if is_full_length() else short


def is_time_up() -> bool:
    """Whether a full-length drill should end; in `make test` tests end by themselves."""
    return time.time() > float(os.environ.get("DRILL_UNTIL", "inf"))


def count_in_tally(what: str, number: float = 1) -> None:
    if path := os.environ.get("DRILL_TALLY"):
        with Path(path).open("a") as file:
            file.write(f"{float(number)}\t{what}\n")


def run_full_length(drill: str, tests: Sequence[str], *, seed: int, minutes: float) -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        told, report = Path(folder) / "tally", Path(folder) / "report.xml"
        told.touch()
        until = time.time() + minutes * 60
        surroundings = {
            name: value for name, value in os.environ.items() if name not in (*VARIABLES, "TEST_SUPERUSER_URL")
        }
        surroundings |= {"DRILL_TALLY": str(told), "DRILL_SEED": str(seed), "DRILL_UNTIL": str(until)}
        command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", f"--junitxml={report}", *tests]
        late = _run_pytest(command, surroundings, minutes * 60 + GRACE_SECONDS)
        tests_run, failures = read_report(report)
        return Verdict(drill, seed, {"tests": tests_run, **sum_tally(told)}, late + failures)


def _run_pytest(command: list[str], surroundings: dict[str, str], seconds: float) -> list[str]:
    with subprocess.Popen(command, cwd=PROJECT, env=surroundings, stdout=subprocess.DEVNULL) as running:
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            # Like Ctrl-C, so that the servers are stopped.
            running.send_signal(signal.SIGINT)
            running.wait()
            return [f"not finished after {seconds:,.0f} s"]
        except BaseException:
            running.send_signal(signal.SIGINT)
            running.wait()
            raise
    return []


def sum_tally(told: Path) -> dict[str, int | float | str]:
    """Adds up what was reported under one name."""
    added: dict[str, Fraction] = defaultdict(Fraction)
    for line in told.read_text().splitlines():
        number, what = line.split("\t")
        added[what] += Fraction(number)
    return {what: int(number) if number.denominator == 1 else round(float(number), 1) for what, number in added.items()}


def read_report(report: Path) -> tuple[int, list[str]]:
    """How many tests ran, and which failed. A skipped test has shown nothing, nor has a run without tests."""
    cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []  # noqa: S314 - pytest's own
    failures = [
        f"{case.get('name')}: {(failure.get('message') or failure.tag)[:500]}"
        for case in cases
        for failure in case
        if failure.tag in ("failure", "error", "skipped")
    ]
    return len(cases), failures if cases else ["No test ran."]
