"""Every case about clocks as one scenario, with more jumps than `make test` tries, on servers of its own.

The server's clock jumps, controllers are minutes apart, clocks go forward and back, leap day, days over midnight.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

from compliance.config.environment import PROJECT, VARIABLES
from tests.drills.verdict import Verdict

JUMPS_A_MINUTE = 60
# For starting servers and migrating, on a machine that others use too.
GRACE_SECONDS = 1800
# Where a case about clocks is told beside what it is about.
CASES = (
    "tests/drills/test_clock.py",
    "tests/rounds/floor/test_gaming_days.py",
    "tests/rounds/intake/test_times_ahead.py",
    "tests/rounds/intake/test_silence.py",
    "tests/compliance/audit/test_feed.py",
    "tests/compliance/web/test_local_times.py",
    "tests/compliance/signs/test_showing.py::test_a_controllers_clock_that_is_off_is_moved_to_ours",
    "tests/compliance/patrons/test_retention.py::test_a_leap_day_is_never_a_day_too_few",
)


def drill(seed: int, minutes: float) -> Verdict:
    steps = max(8, round(JUMPS_A_MINUTE * minutes))
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    environment |= {"DRILL_SEED": str(seed), "DRILL_STEPS": str(steps)}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-n0", f"--junit-xml={report}", *CASES]
        try:
            done = subprocess.run(
                command,
                cwd=PROJECT,
                env=environment,
                capture_output=True,
                text=True,
                timeout=60 * minutes + GRACE_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            return Verdict("clock", seed, {}, [f"The cases were not all tried within {error.timeout:.0f} s."])
        if not report.exists():
            return Verdict("clock", seed, {}, [f"The cases could not be tried: {(done.stdout + done.stderr)[-500:]}"])
        return told(report, seed, steps)


def told(report: Path, seed: int, steps: int) -> Verdict:
    tried: Counter[str] = Counter()
    failures = []
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest has just written it
        where = case.attrib["classname"].rpartition(".test_")[2].split(".")[0].replace("_", " ")
        tried[where] += 1
        if case.find("failure") is not None or case.find("error") is not None:
            failures.append(f"{where}: {case.attrib['name']}")
    figures: dict[str, int | float | str] = {
        "jumps of the server's clock": 2 * steps,
        "lines sent meanwhile": 3 * steps,
    }
    return Verdict("clock", seed, figures | {f"cases: {where}": count for where, count in tried.items()}, failures)
