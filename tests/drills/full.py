"""A drill in full: tests that `make test` runs in short, at full length, with servers of their own.

Tests ask `times` how often to try something and `tally` what they tried; the drill prints the sums.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from compliance.config.environment import PROJECT
from tests.drills.verdict import Verdict

OF_OTHER_SERVERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "TEST_SUPERUSER_URL", "REDIS_URL", "DATA_DIR")
# For starting servers, migrating and the test under way when the time is up.
GRACE_SECONDS = 300


def seed() -> int:
    return int(os.environ.get("DRILL_SEED", "1"))


def times(short: int, *, full: int) -> int:
    return full if "DRILL_TALLY" in os.environ else short


def is_time_up() -> bool:
    """Whether a drill in full should come to its end; in short, tests end by themselves."""
    return time.time() > float(os.environ.get("DRILL_UNTIL", "inf"))


def tally(what: str, number: int = 1) -> None:
    if path := os.environ.get("DRILL_TALLY"):
        with Path(path).open("a") as file:
            file.write(f"{int(number)}\t{what}\n")


def run_in_full(drill: str, tests: Sequence[str], *, seed: int, minutes: float) -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        told, report = Path(folder) / "tally", Path(folder) / "report.xml"
        told.touch()
        until = time.time() + minutes * 60
        surroundings = {name: value for name, value in os.environ.items() if name not in OF_OTHER_SERVERS}
        surroundings |= {"DRILL_TALLY": str(told), "DRILL_SEED": str(seed), "DRILL_UNTIL": str(until)}
        command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", f"--junitxml={report}", *tests]
        late = _run(command, surroundings, minutes * 60 + GRACE_SECONDS)
        return Verdict(drill, seed, _sums(told), late + _failures(report))


def _run(command: list[str], surroundings: dict[str, str], seconds: float) -> list[str]:
    with subprocess.Popen(command, cwd=PROJECT, env=surroundings, stdout=subprocess.DEVNULL) as running:
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            # As Ctrl-C does: the servers are stopped.
            running.send_signal(signal.SIGINT)
            running.wait()
            return [f"not finished after {seconds:,.0f} s"]
        except BaseException:
            running.send_signal(signal.SIGINT)
            running.wait()
            raise
    return []


def _sums(told: Path) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for line in told.read_text().splitlines():
        number, what = line.split("\t")
        sums[what] += int(number)
    return dict(sums)


def _failures(report: Path) -> list[str]:
    if not report.exists():
        return ["the tests did not run"]
    cases = ElementTree.parse(report).getroot().iter("testcase")  # noqa: S314 - pytest has just written it
    return [
        f"{case.get('name')}: {(failure.get('message') or '')[:500]}"
        for case in cases
        for failure in case
        if failure.tag in ("failure", "error")
    ]
