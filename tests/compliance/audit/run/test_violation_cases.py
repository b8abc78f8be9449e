"""Violation cases of the rule packs, evaluated in memory: each breach is found and cited, honest records are not."""

from dataclasses import replace
from typing import Any

import pytest

from compliance.audit.run.violation_cases import failures_of_case, proven_clauses
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases

SLUGS = [pack.slug for pack in shipped_packs()]
CASES = [case for slug in SLUGS for case in violation_cases(slug)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_breach_is_found_and_the_honest_records_are_not_accused(case: ViolationCase) -> None:
    assert list(failures_of_case(case, shipped_packs().find(case.rules))) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_clause_of_a_case_and_the_cited_one_are_bound_to_its_code(case: ViolationCase) -> None:
    clauses = shipped_packs().find(case.rules).clauses
    assert [clause for clause in {*case.clauses, case.cites} if f"check:{case.code}" not in clauses[clause].bind] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_every_clause_that_is_bound_to_a_check_is_proven(slug: str) -> None:
    clauses = shipped_packs().find(slug).clauses.items()
    bound = {clause for clause, entry in clauses if any(name.startswith("check:") for name in entry.bind)}
    assert sorted(bound - set(proven_clauses(slug))) == []


@pytest.mark.parametrize(
    ("kind", "body", "problem"),
    [
        ("round", {"wagers": [{"bet": "small"}]}, "round: "),
        ("dice-placed", {"dices": "d-1"}, "dice-placed: "),
        ("no-such-kind", {}, "no-such-kind is no kind of entry"),
    ],
)
@pytest.mark.parametrize("part", ["honest", "breach"])
def test_a_record_that_cannot_be_read_fails_its_case(part: str, kind: str, body: dict[str, Any], problem: str) -> None:
    case = next(case for case in CASES if case.breach and case.honest)
    records = (*getattr(case, part), CaseRecord(kind, "t-1", case.starts_at, "", body))
    unreadable = replace(case, honest=records) if part == "honest" else replace(case, breach=records)
    [failure] = failures_of_case(unreadable, shipped_packs().find(case.rules))
    assert failure.startswith("records cannot be read: ")
    assert problem in failure
