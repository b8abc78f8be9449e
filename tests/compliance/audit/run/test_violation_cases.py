"""Violation cases of the rule packs, evaluated in memory: each breach is found and cited, honest records are not."""

import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from compliance.audit.run.violation_cases import evaluate_records, failures_of_case, proven_clauses
from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases

SLUGS = [pack.slug for pack in shipped_packs()]
CASES = [case for slug in SLUGS for case in violation_cases(slug)]
SYDNEY_OFFSET = timezone(timedelta(hours=11))
INSTANT_IN_UTC = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


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


@pytest.mark.parametrize("slug", SLUGS)
def test_sentences_state_utc_whatever_the_offset_of_reported_times(slug: str) -> None:
    said = {case.name: _sentences(case, case.breach) for case in CASES if case.rules == slug}
    timed = {name for name, sentences in said.items() if " UTC" in str(sentences)}
    in_sydney = {
        case.name: _sentences(case, tuple(map(_with_offset, case.breach))) for case in CASES if case.name in timed
    }
    assert timed
    assert in_sydney == {name: said[name] for name in timed}


def _sentences(case: ViolationCase, records: tuple[CaseRecord, ...]) -> list[tuple[str, ...]]:
    drafts = evaluate_records(case, records, shipped_packs().find(case.rules))
    return [(draft.code, draft.sentence, *draft.explanation) for draft in drafts]


def _with_offset(record: CaseRecord) -> CaseRecord:
    """The controller's line with all times in its body at +11:00."""
    return replace(record, body=_shift_offsets(record.body)) if record.kind in LINE_KIND_BY_NAME else record


def _shift_offsets(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shift_offsets(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_shift_offsets(each) for each in value]
    if isinstance(value, str) and INSTANT_IN_UTC.fullmatch(value):
        return datetime.fromisoformat(value).astimezone(SYDNEY_OFFSET).isoformat()
    return value
