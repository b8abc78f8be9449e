"""Auditing the next block of a log and recording what came of it: findings and coverage, in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from compliance.accounts.models import Casino
from compliance.audit import kinds
from compliance.audit.catalogue import CODES
from compliance.audit.checks import check_names
from compliance.audit.drafts import Draft
from compliance.audit.judging import Judged, judge_stretch
from compliance.audit.models import Block, Coverage, Finding, ReadingCase, ReadingWeight
from compliance.audit.seen import Circumstances
from compliance.audit.summing import write_played
from rounds.engine.truth import truth_sha256
from rounds.ledger.appending import append, record
from rounds.ledger.leaves import write_body, write_instant
from rounds.rulebook.models import RuleVersion

READINGS_LOCK = 0x52454144
Key = tuple[int, str, str, int | None]


@transaction.atomic
def audit_next_block(*, casino: Casino, now: datetime, within: tuple[int, int] | None = None) -> Coverage | None:
    """The first block that waits and that no other worker has taken; None when there is none.

    The block's row is locked until everything is recorded: a worker that dies leaves no trace, and one that comes
    second finds nothing left to do.
    """
    waiting = Block.objects.select_for_update(skip_locked=True, no_key=True).filter(log=casino.slug).waiting()
    if within is not None:
        waiting = waiting.filter(known_to__gt=within[0], audited_to__lt=within[1])
    block = waiting.order_by("number").first()
    if block is None:
        return None
    judged = judge_stretch(casino, block.audited_to, block.known_to)
    return _record(casino, block, judged, now)


@dataclass(frozen=True)
class Changes:
    """What a judgement changes: findings to record, and those that no longer stand with what takes their place."""

    new: list[Finding]
    superseded: list[tuple[Finding, Finding | None]]


def _record(casino: Casino, block: Block, judged: Judged, now: datetime) -> Coverage:
    single = [draft for draft in judged.drafts if draft.reading is None]
    changes = _changes(casino, block, single, now)
    grouped = [draft for draft in judged.drafts if draft.reading is not None]
    of_readings = _reading_findings(casino, grouped, now)
    new = changes.new + [finding for finding in of_readings.values() if finding.pk is None]
    gone = changes.superseded + ([] if block.is_new else _readings_without_cases(casino, block, of_readings))
    why = block.reopened_because or "The range was audited again."
    for old, _ in gone:
        old.superseded_at, old.superseded_reason = now, why
    coverage = _coverage(casino, block, judged, now)
    _write(casino, new, gone, coverage, now)
    _write_cases(casino, block, grouped, of_readings)
    _write_weights(casino, block, judged)
    write_played(casino.slug, block.audited_to, block.known_to, judged.played)
    Block.objects.filter(pk=block.pk).update(audited_to=block.known_to, reopened_because="")
    return coverage


def _changes(casino: Casino, block: Block, drafts: Iterable[Draft], now: datetime) -> Changes:
    subjects = {"subject_index__gte": block.audited_to, "subject_index__lt": block.known_to}
    rows = Finding.objects.standing().filter(log=casino.slug, check_name__in=check_names(), **subjects)
    standing = {} if block.is_new else {_key(row): row for row in rows}
    new, superseded = [], []
    for draft in drafts:
        finding = _finding(casino, draft, now)
        old = standing.pop(_key(finding), None)
        if old is not None and old.as_record() == finding.as_record():
            continue
        new.append(finding)
        if old is not None:
            superseded.append((old, finding))
    return Changes(new, superseded + [(old, None) for old in standing.values()])


def _key(finding: Finding) -> Key:
    return finding.subject_index, finding.wager, finding.check_name, finding.version_id


def _finding(casino: Casino, draft: Draft, now: datetime) -> Finding:
    return Finding(
        log=casino.slug, casino=casino, code=draft.code, severity=CODES[draft.code].severity.value,
        check_name=draft.check, subject_index=draft.index, wager=draft.wager, table=draft.table, at=draft.at,
        version_id=draft.version, clause=draft.clause, sentence=draft.sentence, required_cents=draft.required_cents,
        found_cents=draft.found_cents, is_silent=draft.is_silent, evidence=list(draft.evidence),
        explanation=list(draft.explanation), found_at=now,
    )  # fmt: skip


# --- Readings: one finding for all wagers that were settled by another reading --------------------------------------


def _group_of(draft: Draft) -> tuple[int, str]:
    assert draft.version is not None
    assert draft.reading is not None
    return draft.version, "reading:{}={}".format(*draft.reading)


def _reading_findings(casino: Casino, drafts: Sequence[Draft], now: datetime) -> dict[tuple[int, str], Finding]:
    """The finding of each group: the one that stands, or a new one. Its subject is the rule version's approval."""
    if not drafts:
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [READINGS_LOCK, casino.slug])
    versions = RuleVersion.objects.in_bulk({draft.version for draft in drafts if draft.version is not None})
    rows = Finding.objects.standing().filter(log=casino.slug, check_name__startswith="reading:")
    found = {(row.version_id or 0, row.check_name): row for row in rows}
    for draft in drafts:
        group = _group_of(draft)
        if group not in found:
            found[group] = _reading_finding(casino, draft, versions[group[0]], now)
    return {group: found[group] for group in dict.fromkeys(map(_group_of, drafts))}


def _reading_finding(casino: Casino, draft: Draft, version: RuleVersion, now: datetime) -> Finding:
    finding = _finding(casino, draft, now)
    finding.check_name = _group_of(draft)[1]
    finding.subject_index = version.approved_index or version.proposed_index
    finding.at = version.effective_at or now
    finding.wager = finding.table = ""
    finding.required_cents = finding.found_cents = None
    finding.evidence, finding.explanation = [finding.subject_index], []
    return finding


def _readings_without_cases(
    casino: Casino, block: Block, kept: dict[tuple[int, str], Finding]
) -> list[tuple[Finding, Finding | None]]:
    """Those whose every case lay in this range and is no longer found."""
    here = _cases_of(casino, block)
    touched = Finding.objects.standing().filter(cases__in=here).distinct()
    elsewhere = ReadingCase.objects.filter(log=casino.slug).exclude(pk__in=here.values("pk"))
    still = set(elsewhere.filter(finding__in=touched).values_list("finding_id", flat=True))
    kept_ids = {finding.pk for finding in kept.values()}
    return [(finding, None) for finding in touched if finding.pk not in still | kept_ids]


def _cases_of(casino: Casino, block: Block) -> QuerySet[ReadingCase]:
    subjects = {"subject_index__gte": block.audited_to, "subject_index__lt": block.known_to}
    return ReadingCase.objects.filter(log=casino.slug, **subjects)


def _write_cases(
    casino: Casino, block: Block, drafts: Iterable[Draft], of_readings: dict[tuple[int, str], Finding]
) -> None:
    if not block.is_new:
        _cases_of(casino, block).delete()
    ReadingCase.objects.bulk_create(
        ReadingCase(
            finding=of_readings[_group_of(draft)], log=casino.slug, subject_index=draft.index, wager=draft.wager,
            table=draft.table, at=draft.at, choice=draft.reading[1], required_cents=draft.required_cents or 0,
            found_cents=draft.found_cents or 0,
        )
        for draft in drafts
        if draft.reading is not None
    )  # fmt: skip


def _write_weights(casino: Casino, block: Block, judged: Judged) -> None:
    if not block.is_new:
        ReadingWeight.objects.filter(log=casino.slug, first__gte=block.audited_to, first__lt=block.known_to).delete()
    ReadingWeight.objects.bulk_create(
        ReadingWeight(
            log=casino.slug, first=block.audited_to, version_id=version, reading=reading, choice=choice,
            **asdict(weight),
        )
        for (version, reading, choice), weight in judged.weights.items()
    )  # fmt: skip


# --- Coverage -------------------------------------------------------------------------------------------------------


def _coverage(casino: Casino, block: Block, judged: Judged, now: datetime) -> Coverage:
    versions = versions_used(judged.used)
    return Coverage(
        log=casino.slug, first=block.audited_to, last=block.known_to, generation=block.generation, versions=versions,
        engine_sha256=_sha256({"versions": versions}), result_sha256=result_sha256(judged), rounds=judged.rounds,
        wagers=judged.wagers, findings=len(judged.drafts), audited_at=now,
    )  # fmt: skip


def versions_used(used: Iterable[Circumstances]) -> list[dict[str, Any]]:
    """By name, with the readings, and with what the running engine pays under them at each pay table."""
    found = {each.version: each for each in used}
    return [
        {
            "rules": version.rules,
            "number": version.number,
            "readings": dict(sorted(found[version].readings.items())),
            "truth_sha256": {
                pay_table: truth_sha256(found[version].rules(pay_table))
                for pay_table in sorted(found[version].pack.law.pay_table)
            },
        }
        for version in sorted(found, key=lambda version: (version.rules, version.number))
    ]


def result_sha256(judged: Judged) -> str:
    """The digest of everything that was found, in the order of the log: the same whoever audits, and whenever."""
    found = sorted(judged.drafts, key=lambda draft: (draft.index, draft.wager, draft.check))
    return _sha256(
        {
            "rounds": judged.rounds,
            "wagers": judged.wagers,
            "findings": [_as_said(draft) for draft in found],
            "readings": [[*choice, asdict(weight)] for choice, weight in judged.weights.items()],
        }
    )


def _as_said(draft: Draft) -> dict[str, Any]:
    return {
        "code": draft.code, "subject": draft.index, "wager": draft.wager, "check": draft.check, "table": draft.table,
        "at": write_instant(draft.at), "clause": draft.clause, "sentence": draft.sentence,
        "required_cents": draft.required_cents, "found_cents": draft.found_cents,
        "explanation": list(draft.explanation), "reading": list(draft.reading or ()),
    }  # fmt: skip


def _sha256(body: dict[str, Any]) -> str:
    return hashlib.sha256(write_body(body)).hexdigest()


def _write(
    casino: Casino, new: list[Finding], gone: list[tuple[Finding, Finding | None]], coverage: Coverage, now: datetime
) -> None:
    """Entries first, because rows bear their indexes; what is superseded makes way before its successor comes."""
    entries = [record(kinds.FINDING, finding.as_record(), table=finding.table or None) for finding in new]
    entries += [record(kinds.SUPERSEDED, old.superseding_record(), table=old.table or None) for old, _ in gone]
    receipts = append(casino.slug, [*entries, record(kinds.COVERAGE, coverage.as_record())], now)
    for finding, receipt in zip(new, receipts, strict=False):
        finding.entry_index = receipt.index
    for (old, _), receipt in zip(gone, receipts[len(new) :], strict=False):
        old.superseded_index = receipt.index
    coverage.entry_index = receipts[-1].index
    Finding.objects.bulk_update(
        [old for old, _ in gone], ["superseded_at", "superseded_reason", "superseded_index"], batch_size=500
    )
    Finding.objects.bulk_create(new, batch_size=500)
    successors = [(old, by) for old, by in gone if by is not None]
    for old, by in successors:
        old.superseded_by = by
    Finding.objects.bulk_update([old for old, _ in successors], ["superseded_by"], batch_size=500)
    coverage.save(force_insert=True)
