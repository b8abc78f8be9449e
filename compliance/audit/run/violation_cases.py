"""Evaluates the violation cases of rule packs in memory: each breach must be found and cited, each honest counterpart
must produce nothing. A clause whose violation was found is proven."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Any

import msgspec

from compliance.audit.context.entry_source import NoEntries
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.rules_in_force import VersionInForce
from compliance.audit.run.evaluate_in_memory import evaluate_in_memory
from compliance.core.accounts.models import Casino
from rounds.engine import Pack
from rounds.engine.settle import RuleVersionRef
from rounds.floor.entry_kinds import TABLE_FACTS
from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME, parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.ledger import LogEntry, encode_body, encode_timestamp
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases

LOG, CONTROLLER, RECORDER = "case", "box-1", {"id": 1, "name": "Casino supervisor"}
# Facts hold from this long before the first record.
FACTS_BEFORE = timedelta(days=30)
# The entry that a rule version of a case refers to as its approval.
APPROVAL_INDEX = 0


@dataclass(frozen=True)
class CaseFailure:
    """A case that does not give what it states."""

    case: ViolationCase
    problem: str

    def __str__(self) -> str:
        return f"{self.case.name} ({', '.join(self.case.clauses)}): {self.problem}"


def evaluate_records(case: ViolationCase, records: tuple[CaseRecord, ...], pack: Pack) -> list[FindingDraft]:
    """What the audit finds about these records of a case under a pack."""
    readings = {name: reading.default for name, reading in pack.readings.items()} | dict(case.readings)
    version = VersionInForce(RuleVersionRef(1, case.rules, 1, APPROVAL_INDEX), pack, readings, None)
    casino = Casino(slug=LOG, name="Case", time_zone=case.time_zone)
    return evaluate_in_memory(NoEntries(casino, [version]), _entries(case, records))


def failures_of_case(case: ViolationCase, pack: Pack) -> Iterator[str]:
    """What differs from the case: records that cannot be read, findings about the honest records, other findings than
    stated about the breach."""
    malformed = [*_malformed_records(case, case.honest), *_malformed_records(case, case.breach)]
    if malformed:
        yield f"records cannot be read: {'; '.join(dict.fromkeys(malformed))}"
        return
    honest = [f"{draft.code} {draft.clause}: {draft.sentence}" for draft in evaluate_records(case, case.honest, pack)]
    if honest:
        yield f"the honest records are accused: {'; '.join(honest)}"
    drafts = evaluate_records(case, case.breach, pack)
    found, expected = {draft.code for draft in drafts}, {case.code, *case.also}
    if found != expected:
        yield f"found {', '.join(sorted(found)) or 'nothing'} instead of {', '.join(sorted(expected))}"
    stated = [draft for draft in drafts if draft.code == case.code]
    cited = {draft.clause for draft in stated}
    if stated and cited != {case.cites}:
        yield f"cites {', '.join(sorted(cited)) or 'no clause'} instead of {case.cites}"
    if any(draft.is_silent != case.is_silent for draft in stated):
        yield f"finds that the document is {'not ' if case.is_silent else ''}silent"
    unsaid = [text for text in case.says if any(text not in draft.sentence for draft in stated)]
    if unsaid:
        yield f"does not say {', '.join(map(repr, unsaid))}"


def failing_cases(pack: Pack, cases: Sequence[ViolationCase] | None = None) -> Iterator[CaseFailure]:
    """The cases of a pack that fail, one at a time. `pack` may be a changed copy of a shipped one."""
    for case in violation_cases(pack.slug) if cases is None else cases:
        for problem in failures_of_case(case, pack):
            yield CaseFailure(case, problem)


@cache
def proven_clauses(slug: str) -> Mapping[str, Sequence[ViolationCase]]:
    """By clause of a shipped pack, the cases that violate it and are found with a code that the clause map binds."""
    if not violation_cases(slug):
        return {}
    pack, found = shipped_packs().find(slug), dict[str, list[ViolationCase]]()
    failed = {failure.case.name for failure in failing_cases(pack)}
    for case in violation_cases(slug):
        for clause in case.clauses:
            if case.name not in failed and f"check:{case.code}" in pack.clauses[clause].bind:
                found.setdefault(clause, []).append(case)
    return found


def _malformed_records(case: ViolationCase, records: Sequence[CaseRecord]) -> Iterator[str]:
    """What is wrong with records that the audit would leave out without a word: lines that intake refuses, and kinds
    that nobody records."""
    for entry in _entries(case, records):
        if entry.controller is None:
            if ledger_kinds.find_kind(entry.kind) is None:
                yield f"{entry.kind} is no kind of entry"
            continue
        try:
            parse_line(entry.body)
        except MalformedLine as problem:
            yield f"{entry.kind}: {problem}"


# --- Entries of a case ----------------------------------------------------------------------------------------------


# Cached: the same cases are evaluated for many changed copies of a pack.
@lru_cache(maxsize=2048)
def _entries(case: ViolationCase, records: tuple[CaseRecord, ...]) -> Sequence[LogEntry]:
    """The facts of the case and its records as entries of a log, in the order in which they are written."""
    facts = list(_fact_bodies(case))
    stated_at = case.starts_at - FACTS_BEFORE
    entries = [_fact_entry(index, body, stated_at) for index, body in enumerate(facts, start=APPROVAL_INDEX + 1)]
    first = len(entries) + APPROVAL_INDEX + 1
    indexes = {record.name: index for index, record in enumerate(records, start=first) if record.name}
    sequences: dict[str, int] = {}
    for index, record in enumerate(records, start=first):
        sequences[record.table] = sequences.get(record.table, 0) + 1
        entries.append(_record_entry(index, record, record.resolved_body(indexes), sequences[record.table]))
    return entries


def _fact_bodies(case: ViolationCase) -> Iterator[dict[str, Any]]:
    usual = {"rules": {"rules": case.rules}} | case.table_facts
    stated: list[tuple[str | None, str | None, Mapping[str, Any]]] = [(None, None, case.casino_facts)]
    stated += [(table, None, usual) for table in case.tables]
    stated += [(table, terminal, facts) for table in case.tables for terminal, facts in case.terminals.items()]
    for table, terminal, facts in stated:
        for name, value in facts.items():
            yield {"table": table, "terminal": terminal, "name": name, "value": value, "note": "", "by": RECORDER}


def _fact_entry(index: int, body: dict[str, Any], at: datetime) -> LogEntry:
    return _entry(index, TABLE_FACTS, body["table"], at, body | {"effective_at": encode_timestamp(at)})


def _record_entry(index: int, record: CaseRecord, body: dict[str, Any], sequence: int) -> LogEntry:
    line = LINE_KIND_BY_NAME.get(record.kind)
    if line is None:
        return _entry(index, record.kind, record.table, record.at, person_entry_body(record, body))
    envelope = {"kind": record.kind, "table": record.table, "sequence": sequence, "body": body}
    entry = _entry(index, line.entry_kind, record.table, record.at, envelope | {"at": encode_timestamp(record.at)})
    return msgspec.structs.replace(entry, controller=CONTROLLER, sequence=sequence)


def person_entry_body(record: CaseRecord, body: dict[str, Any]) -> dict[str, Any]:
    """The body of a person's entry, with its time in `at` and in the member that its kind has for it."""
    kind, at = ledger_kinds.find_kind(record.kind), encode_timestamp(record.at)
    stated = {kind.occurred_at: at} if kind and kind.occurred_at else {}
    return {"by": RECORDER, "at": at} | stated | body


def _entry(index: int, kind: str, table: str | None, at: datetime, body: dict[str, Any]) -> LogEntry:
    return LogEntry(
        log=LOG,
        index=index,
        kind=kind,
        table=table or None,
        controller=None,
        sequence=None,
        recorded_at=at.astimezone(UTC),
        body=encode_body(body),
        leaf_sha256=b"",
    )
