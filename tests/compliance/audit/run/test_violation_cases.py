"""Violation cases of the rule packs, evaluated in memory: each breach is found and cited, honest records are not."""

import pytest

from compliance.audit.run.violation_cases import failures_of_case, proven_clauses
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import ViolationCase, violation_cases

SLUGS = [pack.slug for pack in shipped_packs()]
CASES = [case for slug in SLUGS for case in violation_cases(slug)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_breach_is_found_and_the_honest_records_are_not_accused(case: ViolationCase) -> None:
    assert list(failures_of_case(case, shipped_packs().find(case.rules))) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_clause_of_a_case_is_bound_to_its_code(case: ViolationCase) -> None:
    clauses = shipped_packs().find(case.rules).clauses
    assert [clause for clause in case.clauses if f"check:{case.code}" not in clauses[clause].bind] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_every_clause_that_is_bound_to_a_check_is_proven(slug: str) -> None:
    clauses = shipped_packs().find(slug).clauses.items()
    bound = {clause for clause, entry in clauses if any(name.startswith("check:") for name in entry.bind)}
    assert sorted(bound - set(proven_clauses(slug))) == []
