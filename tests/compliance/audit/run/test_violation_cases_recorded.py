"""Violation cases sent through the intake: the recorded findings are those of the evaluation in memory."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from compliance.audit.catalogue.play_codes import SETTLE_READING
from compliance.audit.models import Finding
from compliance.audit.run.violation_cases import FACTS_BEFORE, evaluate_records, person_entry_body
from compliance.audit.run.worker import audit_log
from rounds.floor.fact_catalogue import FACT_KINDS
from rounds.floor.fact_values import read_value
from rounds.floor.models import Table
from rounds.floor.services import add_table, add_terminal, record_fact
from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.ledger import append, make_entry, size_of
from rounds.ledger.entry_kinds import find_kind
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.rulebook.models import MediaType, RuleVersion
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER, shipped_packs
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases
from tests.compliance.audit.run.test_violation_cases import SLUGS
from tests.rounds.floor.crew import Crew, gather, speaking_controller
from tests.rounds.intake.controller_client import Feeder

# Kinds whose facts are read from rows that their services write; tests of those services cover them.
ROWS_OF_THEIR_OWN = ("disputes.", "terms.", "draws.", "claims.")
BEFORE = datetime(2026, 1, 5, tzinfo=UTC)


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


class RecordedCase:
    """A case at tables of its own, so that all cases of a pack can be played in one casino."""

    def __init__(self, case: ViolationCase, number: int) -> None:
        self.case = case
        self.tables = {table: f"{table}-{number}" for table in case.tables}

    def open_tables(self, crew: Crew) -> list[Table]:
        tables = [
            add_table(casino=crew.harbour, slug=slug, name=slug, actor=crew.sid, now=BEFORE)
            for slug in self.tables.values()
        ]
        at = self.case.starts_at - FACTS_BEFORE
        for table in tables:
            facts = {"rules": {"rules": self.case.rules}} | self.case.table_facts
            stated: list[tuple[Any, Mapping[str, Any]]] = [(None, facts)]
            for slug, of_terminal in self.case.terminals.items():
                stated.append((add_terminal(table=table, slug=slug, actor=crew.sid, now=BEFORE), of_terminal))
            for terminal, values in stated:
                for name, value in values.items():
                    record_fact(
                        casino=crew.harbour,
                        table=table,
                        terminal=terminal,
                        value=read_value(FACT_KINDS[name].value, value),
                        effective_at=at,
                        actor=crew.sid,
                        # Afterwards, because a planned fact that breaks a rule is refused.
                        now=at + timedelta(hours=1),
                    )
        return tables

    def renamed(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.renamed(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.renamed(each) for each in value]
        return self.tables.get(value, value) if isinstance(value, str) else value

    def send(self, crew: Crew, feeder: Feeder) -> None:
        """Sends the records in order. A record may refer to a later one, so the indexes are computed beforehand."""
        first = size_of(crew.harbour.slug)
        indexes = {record.name: index for index, record in enumerate(self.case.breach, start=first)}
        for index, record in enumerate(self.case.breach, start=first):
            body = self.renamed(record.resolved_body(indexes))
            assert self.send_record(crew, feeder, record, body) == index

    def send_record(self, crew: Crew, feeder: Feeder, record: CaseRecord, body: dict[str, Any]) -> int:
        table = self.tables[record.table] if record.table else None
        if record.kind in LINE_KIND_BY_NAME:
            assert table is not None
            feeder.sequences[table] = feeder.sequences.get(table, 0) + 1
            envelope = {"kind": record.kind, "table": table, "sequence": feeder.sequences[table]}
            line = json.dumps(envelope | {"at": record.at.isoformat(), "body": body}).encode()
            answer = feeder.send(line)
            assert answer.status_code in (200, 201), answer.content
            return int(answer.json()["receipts"][0]["index"])
        kind = find_kind(record.kind)
        assert kind is not None
        with transaction.atomic():
            entry = make_entry(kind, person_entry_body(record, body), table)
            [receipt] = append(crew.harbour.slug, [entry], record.at)
        return receipt.index


def has_rows_of_its_own(case: ViolationCase) -> bool:
    kinds = (find_kind(record.kind) for record in case.breach)
    return any(kind is not None and kind.model.startswith(ROWS_OF_THEIR_OWN) for kind in kinds)


@pytest.mark.parametrize("slug", SLUGS)
def test_recorded_cases_give_the_findings_of_the_evaluation_in_memory(slug: str, crew: Crew) -> None:
    pack = shipped_packs().find(slug)
    adopt_rules(crew, slug)
    cases = [case for case in violation_cases(slug) if not case.readings and not has_rows_of_its_own(case)]
    played = [RecordedCase(case, number) for number, case in enumerate(cases, start=1)]
    for casino_fact, value in (cases[0].casino_facts if cases else {}).items():
        record_fact(
            casino=crew.harbour,
            value=read_value(FACT_KINDS[casino_fact].value, value),
            effective_at=BEFORE,
            actor=crew.sid,
            now=BEFORE,
        )
    tables = [table for each in played for table in each.open_tables(crew)]
    speaking_controller(crew, *tables)
    feeder = Feeder()
    for each in played:
        each.send(crew, feeder)
    list(audit_log(crew.harbour))
    differences, by_reading = {}, set[tuple[str, str]]()
    for each in played:
        rows = Finding.objects.current().filter(table__in=each.tables.values(), version__isnull=False)
        recorded = set(rows.values_list("code", "clause", "wager"))
        drafts = evaluate_records(each.case, each.case.breach, pack)
        # All wagers settled by a reading that was not adopted are one finding of the casino, not of a table.
        expected = {(one.code, one.clause, one.wager) for one in drafts if one.reading is None}
        by_reading |= {(one.code, one.clause) for one in drafts if one.reading is not None}
        if recorded != expected:
            differences[each.case.name] = (recorded, expected)
    assert differences == {}
    assert set(Finding.objects.current().filter(code=SETTLE_READING.name).values_list("code", "clause")) == by_reading
