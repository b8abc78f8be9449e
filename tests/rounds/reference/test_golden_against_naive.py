"""Every golden case, worked by hand from a document, against the plain reference settlement."""

from itertools import chain

import pytest

from tests.rounds.reference.golden import SLUGS, GoldenCase, golden_cases
from tests.rounds.reference.naive import READINGS_OF, naive_settle

EVERY_CASE = list(chain.from_iterable(golden_cases(slug) for slug in SLUGS))


@pytest.mark.parametrize("case", EVERY_CASE, ids=lambda case: case.name)
def test_a_golden_case_settles_as_worked_by_hand(case: GoldenCase) -> None:
    answer = naive_settle(case.line)
    answer.pop("error", None)
    assert answer == case.expect, case.why


@pytest.mark.parametrize("slug", SLUGS)
def test_no_line_is_worked_twice(slug: str) -> None:
    lines = [repr(sorted(case.line.items())) for case in golden_cases(slug)]
    assert sorted(line for line in set(lines) if lines.count(line) > 1) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_every_choice_of_every_reading_is_adopted_and_is_an_alternative(slug: str) -> None:
    """Defaults are adopted wherever a line says nothing, so only the other choices must be named by one."""
    cases = golden_cases(slug)
    others = {(reading, choice) for reading, named in READINGS_OF[slug].items() for choice in named[1:]}
    defaults = {(reading, named[0]) for reading, named in READINGS_OF[slug].items()}
    adopted = {pair for case in cases for pair in case.line.get("readings", {}).items()}
    listed = {(other["reading"], other["choice"]) for case in cases for other in case.expect.get("alternatives", [])}
    assert others - adopted == set()
    assert (others | defaults) - listed == set()


@pytest.mark.parametrize(
    ("slug", "verdicts"),
    [
        ("nsw-sic-bo", {"win", "lose", "void", "open", "unapproved"}),
        ("rws-sic-bo-etg", {"win", "lose", "void", "unapproved"}),
        ("mbs-3-card-sic-bo", {"win", "lose", "void", "unapproved"}),
        ("skycity-big-and-small", {"win", "lose", "void", "unapproved"}),
        ("licensee-sic-bo", {"win", "lose", "void", "unapproved"}),
    ],
)
def test_every_verdict_a_rule_set_can_reach_is_reached(slug: str, verdicts: set[str]) -> None:
    assert {case.expect["verdict"] for case in golden_cases(slug) if "verdict" in case.expect} == verdicts
