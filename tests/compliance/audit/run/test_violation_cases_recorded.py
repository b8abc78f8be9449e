"""Violation cases in the log of a casino: played through the intake, each is found and nothing else, and the recorded
findings are those of the evaluation in memory."""

from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from pathlib import Path

import msgspec
import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from compliance.audit.clause_matrix import rows_by_clause
from compliance.audit.detection_matrix import compare, findings_at_planted_tables, read_planted_faults
from compliance.audit.models import Finding
from compliance.audit.run.violation_cases import evaluate_records, person_entry_body
from compliance.audit.run.worker import audit_log
from rounds.floor.fact_catalogue import FACT_KINDS
from rounds.floor.fact_values import read_value
from rounds.floor.services import record_fact
from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.intake.services.feed_silence import record_silences
from rounds.ledger import NewEntry, append, make_entry, read_entries, size_of
from rounds.ledger.entry_kinds import find_kind
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.rulebook.models import MediaType, RuleVersion
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER, shipped_packs
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases
from rounds.simulator.violation_cases import (
    CaseTables,
    is_reported,
    open_case_floor,
    play_violation_cases,
    reported_cases_until,
)
from tests.compliance.audit.run.test_violation_cases import SLUGS
from tests.compliance.audit.test_detection_matrix import assert_found_in_memory, unexplained
from tests.rounds.floor.crew import Crew, gather

# Kinds whose facts are read from rows that their services write; the simulator plants them through those services.
ROWS_OF_THEIR_OWN = ("disputes.", "terms.", "draws.", "claims.")
BEFORE = datetime(2026, 1, 5, tzinfo=UTC)
# Another day than that of the files.
DAY = date(2026, 3, 9)
OTHER_GAMING_DAY = ("FEED-ROUND-GAMING-DAY",)


@pytest.fixture
def crew(transactional_db: None, tmp_path: Path, settings: Settings) -> Crew:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return gather()


def adopt_rules(crew: Crew, rules: str) -> RuleVersion:
    source = SourceUpload(b"The rules of the game, as printed.\n", "rules.txt", MediaType.TEXT)
    version = propose_version(
        casino=crew.harbour,
        pack_content=(PACK_FOLDER / f"{rules}.toml").read_bytes(),
        pack_file=f"{rules}.toml",
        source=source,
        readings={},
        actor=crew.cora,
        now=BEFORE,
    )
    return approve_version(
        version=version,
        effective_at=expected_effective_at(version) or BEFORE,
        time_zone="Australia/Sydney",
        evidence="Gazetted.",
        edge_reason="Printed so.",
        actor=crew.cast.ines,
        now=BEFORE + timedelta(hours=1),
    )


@pytest.fixture
def rules(slug: str, crew: Crew) -> str:
    """The rule set of the test, adopted at Harbour, with the casino facts of its cases."""
    adopt_rules(crew, slug)
    for name, value in violation_cases(slug)[0].casino_facts.items():
        record_fact(
            casino=crew.harbour,
            value=read_value(FACT_KINDS[name].value, value),
            effective_at=BEFORE,
            actor=crew.sid,
            now=BEFORE,
        )
    return slug


@pytest.mark.parametrize("slug", SLUGS)
def test_played_cases_are_found_with_their_clauses_and_nothing_else_is(rules: str, crew: Crew) -> None:
    planted = play_violation_cases(open_case_floor(crew.harbour, timezone.now()), rules, DAY, address=None)
    list(audit_log(crew.harbour))
    truth = read_planted_faults(map(msgspec.json.encode, planted))
    comparison = compare(truth, findings_at_planted_tables(truth))
    assert unexplained(comparison.rows_by_code()) == []
    clauses = {row.clause.clause for row in rows_by_clause(comparison) if row.by_case and not row.missed}
    assert clauses == {clause for case in violation_cases(rules) if is_reported(case) for clause in case.clauses}
    assert_found_in_memory(crew.harbour)
    assert record_silences(now=timezone.now() + timedelta(minutes=1)) == 0


def test_the_tables_of_a_case_are_retired_before_the_next_case_is_sent(crew: Crew) -> None:
    adopt_rules(crew, SLUGS[0])
    play_violation_cases(open_case_floor(crew.harbour, timezone.now()), SLUGS[0], DAY, address=None)
    entries = [entry for entry in read_entries("harbour", 0, 10**6) if (entry.table or "").startswith("case-")]
    used = [entry.table for entry in entries if entry.sequence is not None or entry.kind == "table-retired"]
    assert len([case for case, _ in groupby(used, key=lambda table: (table or "").rpartition("-")[0])]) == len(
        {(table or "").rpartition("-")[0] for table in used}
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_played_cases_are_over_on_the_day_and_each_round_is_in_its_gaming_day(slug: str) -> None:
    ends = set()
    for case in reported_cases_until(slug, DAY, "America/New_York"):
        ends.add(max(record.at for record in case.breach).date())
        for record in (*case.honest, *case.breach):
            if record.kind == "round" and case.code not in OTHER_GAMING_DAY:
                day = (record.at - timedelta(hours=6)).date()
                assert record.body["gaming_day"] == day.isoformat(), case.name
    assert max(ends) == DAY


def is_appended(case: ViolationCase) -> bool:
    """Whether people recorded something in the case, and nothing of it is read from rows of its own."""
    kinds = [find_kind(record.kind) for record in case.breach if record.kind not in LINE_KIND_BY_NAME]
    return bool(kinds) and not any(kind is None or kind.model.startswith(ROWS_OF_THEIR_OWN) for kind in kinds)


def append_case(crew: Crew, played: CaseTables) -> None:
    """A record may refer to a later one, so the indexes are computed beforehand."""
    first, records = size_of(crew.harbour.slug), played.case.breach
    indexes = {record.name: index for index, record in enumerate(records, start=first)}
    for sequence, (index, record) in enumerate(enumerate(records, start=first), start=1):
        with transaction.atomic():
            [receipt] = append(crew.harbour.slug, [new_entry(played, record, sequence, indexes)], record.at)
        assert receipt.index == index


def new_entry(played: CaseTables, record: CaseRecord, sequence: int, indexes: dict[str, int]) -> NewEntry:
    table = played.tables[record.table].slug if record.table else None
    line = LINE_KIND_BY_NAME.get(record.kind)
    if line is None:
        return make_entry(record.kind, person_entry_body(record, played.body_of(record, indexes)), table)
    body = played.encode_line(record, sequence, indexes)
    return NewEntry(kind=line.entry_kind, body=body, table=table, controller="box-1", sequence=sequence)


def test_what_people_recorded_gives_the_findings_of_the_evaluation_in_memory(crew: Crew) -> None:
    cases = [case for slug in SLUGS for case in violation_cases(slug) if not case.readings and is_appended(case)]
    for slug in {case.rules for case in cases}:
        adopt_rules(crew, slug)
    played = open_case_floor(crew.harbour, timezone.now()).open_tables(cases)
    for each in played:
        append_case(crew, each)
    list(audit_log(crew.harbour))
    differences = {}
    for each in played:
        tables = [table.slug for table in each.tables.values()]
        rows = Finding.objects.current().filter(table__in=tables, version__isnull=False)
        drafts = evaluate_records(each.case, each.case.breach, shipped_packs().find(each.case.rules))
        recorded = set(rows.values_list("code", "clause", "wager"))
        expected = {(one.code, one.clause, one.wager) for one in drafts if one.reading is None}
        if recorded != expected:
            differences[each.case.name] = (recorded, expected)
    assert {case.code for case in cases} >= {"SETTLE-SHOULD-BE-VOID", "SETTLE-VOID-KEPT"}
    assert differences == {}
