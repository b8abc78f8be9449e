"""A drill made of tests: runs them with servers of their own, and reads figures and failures from pytest's report.

A test says a figure by `record_property(name, number)`; figures of the same name are added up.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from compliance.config.environment import PROJECT, VARIABLES
from tests.drills.verdict import Verdict


def run_tests(drill: str, seed: int, minutes: float, paths: Sequence[str]) -> Verdict:
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-n0", "-o", "junit_family=xunit1", f"--junitxml={report}", *paths]
        try:
            done = subprocess.run(
                command, cwd=PROJECT, env=environment | {"DRILL_SEED": str(seed)}, timeout=minutes * 60,
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Verdict(drill, seed, {"tests": 0}, [f"Not finished within {minutes:g} minutes."])
        if not report.exists():
            return Verdict(drill, seed, {"tests": 0}, [f"pytest did not run: {done.stdout[-500:]}{done.stderr[-500:]}"])
        return read_report(drill, seed, report)


def read_report(drill: str, seed: int, report: Path) -> Verdict:
    cases = list(ElementTree.parse(report).iter("testcase"))  # noqa: S314 - pytest has just written it
    figures: dict[str, int | float | str] = {"tests": len(cases)}
    for said in (one for case in cases for one in case.iter("property")):
        name, value = said.attrib["name"], said.attrib["value"]
        figures[name] = _sum(figures.get(name), value)
    wrong = [(case, one) for case in cases for one in case if one.tag in ("failure", "error", "skipped")]
    failures = [f"{case.attrib['name']}: {one.attrib.get('message', one.tag)[:300]}" for case, one in wrong]
    return Verdict(drill, seed, figures, failures if cases else ["No test ran."])


def _sum(before: float | str | None, value: str) -> float | str:
    if not value.replace(".", "", 1).isdigit():
        return value
    number = float(value) if "." in value else int(value)
    return number if before is None or isinstance(before, str) else before + number
