"""A drill made of tests adds up what they measured, and fails if one of them fails, is skipped, or none ran."""

from pathlib import Path

from compliance.config.environment import PROJECT
from tests.drills import intruder, operations
from tests.drills.by_pytest import read_report
from tests.drills.verdict import Verdict

CASE = '<testcase name="{}"><properties><property name="pages" value="{}"/></properties>{}</testcase>'


def verdict_on(tmp_path: Path, *cases: str) -> Verdict:
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    return read_report("intruder", 7, report)


def test_figures_of_one_name_are_added_up(tmp_path: Path) -> None:
    verdict = verdict_on(tmp_path, CASE.format("test_a", 3, ""), CASE.format("test_b", 4, ""))
    assert verdict.lines() == ["intruder (seed 7): passed", "  tests  2", "  pages  7"]


def test_one_failure_fails_the_drill(tmp_path: Path) -> None:
    failed = CASE.format("test_b", 4, '<failure message="it got in"/>')
    verdict = verdict_on(tmp_path, CASE.format("test_a", 3, ""), failed)
    assert not verdict.is_passed
    assert verdict.failures == ["test_b: it got in"]
    assert verdict_on(tmp_path, CASE.format("test_a", 3, '<skipped message="not today"/>')).failures
    assert verdict_on(tmp_path).failures == ["No test ran."]


def test_every_module_that_a_drill_names_is_there() -> None:
    for path in (*intruder.WAYS_IN, *operations.WAYS_BACK):
        assert (PROJECT / path).is_file(), path
