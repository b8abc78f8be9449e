"""Response bodies of the API. The OpenAPI document is generated from these types, class docstrings included."""

import base64
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from compliance.audit.models import Coverage, Finding, ReadingCase
from compliance.audit.selectors import AuditGap, AuditProgress
from compliance.reports.models import Report
from rounds.ledger import LogEntry


class FindingSent(msgspec.Struct, frozen=True):
    """A finding of the audit. Amounts are cents; `index` is its entry in the casino's log.

    A finding about a reading stands for all wagers that were settled by it: `wagers` is their number, `tables` has
    their tables, the amounts are their totals, and `cases` of the finding lists them. `wagers` is null for any other.
    """

    index: int
    code: str
    severity: str
    sentence: str
    table: str | None
    tables: list[str]
    subject_index: int
    wager: str | None
    wagers: int | None
    at: datetime
    rules: str | None
    rule_version: int | None
    clause: str | None
    required_cents: int | None
    found_cents: int | None
    evidence: list[int]
    found_at: datetime
    superseded_at: datetime | None
    superseded_reason: str | None


class FindingsPage(msgspec.Struct, frozen=True):
    """`cursor` goes on after the last one here, also later, when there are more."""

    casino: str
    findings: list[FindingSent]
    has_more: bool
    cursor: str | None


class CaseSent(msgspec.Struct, frozen=True):
    """A wager that was settled by a reading which is not adopted. `subject_index` is the entry of its round."""

    subject_index: int
    wager: str
    table: str
    at: datetime
    required_cents: int
    found_cents: int


class CasesPage(msgspec.Struct, frozen=True):
    """The wagers behind a finding about a reading; none for any other finding."""

    casino: str
    cases: list[CaseSent]
    has_more: bool
    cursor: str | None


class RoundSent(msgspec.Struct, frozen=True):
    """A round as it was recorded. `inclusion_proof` leads from its leaf hash to the root that the checkpoint signs.

    Null while no checkpoint covers it: one is signed every minute."""

    index: int
    table: str | None
    recorded_at: datetime
    leaf_sha256: str
    body: dict[str, Any]
    inclusion_proof: list[str] | None


class RoundsPage(msgspec.Struct, frozen=True):
    """`checkpoint` is a C2SP note, `verifier` the log's public key. Trust the key that you were given, not this one."""

    casino: str
    checkpoint: str | None
    verifier: str
    rounds: list[RoundSent]
    has_more: bool
    cursor: str | None


class OneRound(msgspec.Struct, frozen=True):
    """`leaf` is base64 of the exact bytes that were hashed; `proof` a `.tlog-proof` file's text, once it is signed."""

    casino: str
    index: int
    table: str | None
    recorded_at: datetime
    leaf_sha256: str
    leaf: str
    body: dict[str, Any]
    proof: str | None
    verifier: str
    findings: list[FindingSent]


class RangeSent(msgspec.Struct, frozen=True):
    """That entries `first` to `last` were audited; `last` is included. `index` is the entry that says so."""

    index: int
    first: int
    last: int
    generation: int
    rounds: int
    wagers: int
    findings: int
    result_sha256: str
    audited_at: datetime


class GapSent(msgspec.Struct, frozen=True):
    """Entries that wait to be audited; `last` is included."""

    first: int
    last: int
    why: str


class CoveragePage(msgspec.Struct, frozen=True):
    """Everything below `audited_up_to` was audited; null before anything was."""

    casino: str
    audited_up_to: int | None
    last_audited_at: datetime | None
    rounds: int
    wagers: int
    gaps: list[GapSent]
    ranges: list[RangeSent]
    has_more: bool
    cursor: str | None


class ReportSent(msgspec.Struct, frozen=True):
    """A report that is ready. `file_sha256` is of its file, `pages_sha256` is in the log, in entry `index`."""

    report: int
    kind: str
    title: str
    asked_at: datetime
    made_at: datetime
    pages: int
    index: int
    pages_sha256: str
    file_sha256: str
    file_bytes: int
    file: str


class ReportsPage(msgspec.Struct, frozen=True):
    casino: str
    reports: list[ReportSent]
    has_more: bool
    cursor: str | None


class EntrySent(msgspec.Struct, frozen=True):
    """`leaf` is base64 of the exact bytes that were hashed: the header, a newline, the body."""

    index: int
    leaf: str


class EntriesPage(msgspec.Struct, frozen=True):
    """Entries in a row, without proofs: whoever has all of them works out the root that the checkpoint signs.

    `next` is where to go on, also later, when there are more."""

    casino: str
    entries: list[EntrySent]
    has_more: bool
    next: int


class PackSent(msgspec.Struct, frozen=True):
    """A rule pack, as an entry of the log names it by its digest. `content` is the file's text, byte for byte."""

    sha256: str
    content: str


RESPONSE_TYPES: Sequence[type[msgspec.Struct]] = (
    FindingsPage, FindingSent, CasesPage, RoundsPage, OneRound, CoveragePage, ReportsPage, EntriesPage, PackSent,
)  # fmt: skip


def format_utc(instant: datetime) -> datetime:
    return instant.astimezone(UTC)


def finding_response(found: Finding) -> FindingSent:
    """For findings read with `with_case_totals`."""
    scope = found.scope
    return FindingSent(
        index=found.entry_index,
        code=found.code,
        severity=found.severity,
        sentence=found.sentence,
        table=scope.tables[0] if len(scope.tables) == 1 else None,
        tables=scope.tables,
        subject_index=found.subject_index,
        wager=found.wager or None,
        wagers=scope.wagers,
        at=format_utc(found.at),
        rules=found.version.rules if found.version else None,
        rule_version=found.version.number if found.version else None,
        clause=found.clause or None,
        required_cents=scope.required_cents,
        found_cents=scope.found_cents,
        evidence=found.evidence,
        found_at=format_utc(found.found_at),
        superseded_at=format_utc(found.superseded_at) if found.superseded_at else None,
        superseded_reason=found.superseded_reason or None,
    )


def case_response(case: ReadingCase) -> CaseSent:
    return CaseSent(
        subject_index=case.subject_index,
        wager=case.wager,
        table=case.table,
        at=format_utc(case.at),
        required_cents=case.required_cents,
        found_cents=case.found_cents,
    )


def round_response(entry: LogEntry, proof: Sequence[bytes] | None) -> RoundSent:
    return RoundSent(
        index=entry.index,
        table=entry.table,
        recorded_at=format_utc(entry.recorded_at),
        leaf_sha256=entry.leaf_sha256.hex(),
        body=entry.content(),
        inclusion_proof=None if proof is None else [one.hex() for one in proof],
    )


def single_round_response(
    entry: LogEntry, leaf: bytes, proof: bytes | None, verifier: str, found: Sequence[Finding]
) -> OneRound:
    return OneRound(
        casino=entry.log,
        index=entry.index,
        table=entry.table,
        recorded_at=format_utc(entry.recorded_at),
        leaf_sha256=entry.leaf_sha256.hex(),
        leaf=base64.b64encode(leaf).decode(),
        body=entry.content(),
        proof=proof.decode() if proof else None,
        verifier=verifier,
        findings=[finding_response(one) for one in found],
    )


def coverage_range_response(row: Coverage) -> RangeSent:
    return RangeSent(
        index=row.entry_index,
        first=row.first,
        last=row.last - 1,
        generation=row.generation,
        rounds=row.rounds,
        wagers=row.wagers,
        findings=row.findings,
        result_sha256=row.result_sha256,
        audited_at=format_utc(row.audited_at),
    )


def coverage_page(
    casino: str,
    audited: AuditProgress,
    gaps: Sequence[AuditGap],
    ranges: Sequence[Coverage],
    has_more: bool,
    cursor: str | None,
) -> CoveragePage:
    return CoveragePage(
        casino=casino,
        audited_up_to=audited.up_to,
        last_audited_at=format_utc(audited.last_at) if audited.last_at else None,
        rounds=audited.rounds,
        wagers=audited.wagers,
        gaps=[GapSent(gap.first, gap.last - 1, gap.why) for gap in gaps],
        ranges=[coverage_range_response(row) for row in ranges],
        has_more=has_more,
        cursor=cursor,
    )


def report_response(made: Report, file: str) -> ReportSent:
    assert made.made_at is not None
    assert made.entry_index is not None
    return ReportSent(
        report=made.pk,
        kind=made.kind,
        title=made.title,
        asked_at=format_utc(made.asked_at),
        made_at=format_utc(made.made_at),
        pages=made.pages or 0,
        index=made.entry_index,
        pages_sha256=made.pages_sha256,
        file_sha256=made.file_sha256,
        file_bytes=made.file_bytes or 0,
        file=file,
    )
