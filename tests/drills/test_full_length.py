"""A drill made of tests adds up their tallies, and fails if one fails or is skipped, or if none ran."""

from pathlib import Path

import pytest

from compliance.config.environment import PROJECT
from tests.drills import clock, crash, fuzz, intruder, operations, rogue
from tests.drills.support.full_length import count_in_tally, is_time_up, read_report, repetitions, sum_tally

CASE = '<testcase name="{}">{}</testcase>'


def failures_of(tmp_path: Path, *cases: str) -> list[str]:
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    ran, failures = read_report(report)
    assert ran == len(cases)
    return failures


def test_figures_of_one_name_are_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "tally"
    monkeypatch.setenv("DRILL_TALLY", str(told))
    for number in (3, 4, 0.5):
        count_in_tally("pages", number)
    count_in_tally("papers")
    assert sum_tally(told) == {"pages": 7.5, "papers": 1}


def test_one_failure_fails_the_drill(tmp_path: Path) -> None:
    passed, failed = CASE.format("test_a", ""), CASE.format("test_b", '<failure message="it got in"/>')
    assert failures_of(tmp_path, passed) == []
    assert failures_of(tmp_path, passed, failed) == ["test_b: it got in"]
    assert failures_of(tmp_path, CASE.format("test_a", '<skipped message="not today"/>')) == ["test_a: not today"]
    assert failures_of(tmp_path) == ["No test ran."]
    assert read_report(tmp_path / "none.xml") == (0, ["No test ran."])


def test_in_short_nothing_is_told_and_time_is_never_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DRILL_TALLY", "DRILL_UNTIL"):
        monkeypatch.delenv(name, raising=False)
    count_in_tally("pages")
    assert (repetitions(2, full=200), is_time_up()) == (2, False)
    monkeypatch.setenv("DRILL_TALLY", "somewhere")
    monkeypatch.setenv("DRILL_UNTIL", "1")
    assert (repetitions(2, full=200), is_time_up()) == (200, True)


def test_every_module_that_a_drill_names_is_there() -> None:
    for path in (*crash.STATEMENTS, *intruder.WAYS_IN, *operations.WAYS_BACK, *clock.CASES, *fuzz.TESTS, *rogue.TESTS):
        assert (PROJECT / path.partition("::")[0]).is_file(), path
