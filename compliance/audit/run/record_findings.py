"""Audits the next waiting blocks of a log and records the findings and coverage in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet

from compliance.audit import entry_kinds
from compliance.audit.catalogue import CODES_BY_NAME
from compliance.audit.checks import reevaluated_check_names
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.models import Block, Coverage, Finding, ReadingCase, ReadingImpact
from compliance.audit.run.evaluate import Evaluation, evaluate_ranges
from compliance.audit.run.finding_alerts import raise_finding_alerts
from compliance.audit.totals.play_totals import COPY_ESCAPES, copy_totals, delete_totals
from compliance.core.accounts.models import Casino
from compliance.core.web.jobs.locks import Lock, lock_transaction
from rounds.engine import RulesInForce, odds
from rounds.engine.settle import RuleVersionRef
from rounds.ledger import append, encode_body, encode_timestamp, make_entry
from rounds.rulebook.models import RuleVersion

# Blocks per transaction. The maximum bounds the memory for columns; below the minimum the fixed cost per batch
# dominates.
MAX_BLOCKS_PER_BATCH, MIN_BLOCKS_PER_BATCH = 12, 4
COPY_IMPACTS_SQL = """
COPY audit_readingweight (log, first, version_id, reading, choice, wagers, adopted_cents, other_cents) FROM STDIN
"""
FindingKey = tuple[int, str, str, int | None]


@transaction.atomic
def audit_next_blocks(*, casino: Casino, now: datetime, within: tuple[int, int] | None = None) -> list[Coverage]:
    """Audits the first waiting blocks that no other worker has locked. Empty when there are none.

    The rows of the blocks stay locked (SKIP LOCKED) until everything is recorded. If the worker dies, everything is
    rolled back; a second worker skips the locked blocks.
    """
    waiting = Block.objects.filter(log=casino.slug).waiting()
    if within is not None:
        waiting = waiting.filter(known_to__gt=within[0], audited_to__lt=within[1])
    # Half of what waits, so that a second worker gets as much.
    share = min(MAX_BLOCKS_PER_BATCH, max(MIN_BLOCKS_PER_BATCH, 1 + waiting.count() // 2))
    locked = waiting.select_for_update(skip_locked=True, no_key=True).order_by("number")[:share]
    blocks = _consecutive_new_blocks(list(locked))
    if not blocks:
        return []
    evaluations = evaluate_ranges(casino, [(block.audited_to, block.known_to) for block in blocks])
    return _record_evaluations(casino, blocks, evaluations, now)


def _consecutive_new_blocks(waiting: Sequence[Block]) -> list[Block]:
    """Consecutive new blocks, because evaluating several costs little more than one. A reopened block is taken alone,
    because its result is compared with the existing findings."""
    taken = list(waiting[:1])
    for block in waiting[1:]:
        if not (taken[-1].is_new and block.is_new and block.audited_to == taken[-1].known_to):
            break
        taken.append(block)
    return taken


@dataclass(frozen=True)
class FindingChanges:
    """The findings to record, and those to supersede, each with its successor or None."""

    new: list[Finding]
    superseded: list[tuple[Finding, Finding | None]]


def _record_evaluations(
    casino: Casino, blocks: Sequence[Block], evaluations: Sequence[Evaluation], now: datetime
) -> list[Coverage]:
    """Writes everything that does not need an entry index first. Appending locks the log, so other workers wait from
    then on."""
    every = [draft for one in evaluations for draft in one.drafts]
    changes = _finding_changes(casino, blocks, [draft for draft in every if draft.reading is None], now)
    grouped = [draft for draft in every if draft.reading is not None]
    of_readings = _reading_findings(casino, grouped, now)
    new = changes.new + [finding for finding in of_readings.values() if finding.pk is None]
    gone = changes.superseded + _reading_findings_without_cases(casino, blocks, of_readings)
    why = blocks[0].reopened_because or "The range was audited again."
    for old, _ in gone:
        # The server's clock may have been set back since.
        old.superseded_at, old.superseded_reason = max(now, old.found_at), why
    engines = EngineDigests()
    covered = [
        _build_coverage(casino, block, one, engines, now) for block, one in zip(blocks, evaluations, strict=True)
    ]
    _delete_totals(casino, blocks)
    _write_impacts(casino, blocks, evaluations)
    copy_totals(
        casino.slug, [(block.audited_to, one.play_totals) for block, one in zip(blocks, evaluations, strict=True)]
    )
    raise_finding_alerts(casino, new, now)
    _write_entries_and_rows(casino, new, gone, covered, now)
    _write_cases(casino, blocks, grouped, of_readings)
    Block.objects.filter(pk__in=[block.pk for block in blocks]).update(audited_to=F("known_to"), reopened_because="")
    return covered


def _entry_range(blocks: Sequence[Block]) -> tuple[int, int]:
    return blocks[0].audited_to, blocks[-1].known_to


def _finding_changes(
    casino: Casino, blocks: Sequence[Block], drafts: Iterable[FindingDraft], now: datetime
) -> FindingChanges:
    first, last = _entry_range(blocks)
    subjects = {"subject_index__gte": first, "subject_index__lt": last}
    rows = Finding.objects.current().filter(log=casino.slug, check_name__in=reevaluated_check_names(), **subjects)
    current = {} if blocks[0].is_new else {_finding_key(row): row for row in rows}
    new, superseded = [], []
    for draft in drafts:
        finding = _build_finding(casino, draft, now)
        old = current.pop(_finding_key(finding), None)
        if old is not None and old.entry_body() == finding.entry_body():
            continue
        new.append(finding)
        if old is not None:
            superseded.append((old, finding))
    return FindingChanges(new, superseded + [(old, None) for old in current.values()])


def _finding_key(finding: Finding) -> FindingKey:
    return finding.subject_index, finding.wager, finding.check_name, finding.version_id


def _build_finding(casino: Casino, draft: FindingDraft, now: datetime) -> Finding:
    return Finding(
        log=casino.slug,
        casino=casino,
        code=draft.code,
        severity=(draft.severity or CODES_BY_NAME[draft.code].severity).value,
        check_name=draft.check,
        subject_index=draft.index,
        wager=draft.wager,
        table=draft.table,
        at=draft.at,
        version_id=draft.version,
        clause=draft.clause,
        sentence=draft.sentence,
        required_cents=draft.required_cents,
        found_cents=draft.found_cents,
        is_silent=draft.is_silent,
        evidence=list(draft.evidence),
        explanation=list(draft.explanation),
        found_at=now,
    )


# --- Readings: one finding for all wagers that were settled by another reading --------------------------------------


def _reading_group(draft: FindingDraft) -> tuple[int, str]:
    assert draft.version is not None
    assert draft.reading is not None
    return draft.version, "reading:{}={}".format(*draft.reading)


def _reading_findings(casino: Casino, drafts: Sequence[FindingDraft], now: datetime) -> dict[tuple[int, str], Finding]:
    """The finding of each group: the current one, or a new one. Its subject is the approval of the rule version."""
    if not drafts:
        return {}
    lock_transaction(Lock.READING_FINDINGS, casino.slug)
    versions = RuleVersion.objects.in_bulk({draft.version for draft in drafts if draft.version is not None})
    rows = Finding.objects.current().filter(log=casino.slug, check_name__startswith="reading:")
    found = {(row.version_id or 0, row.check_name): row for row in rows}
    for draft in drafts:
        group = _reading_group(draft)
        if group not in found:
            found[group] = _build_reading_finding(casino, draft, versions[group[0]], now)
    return {group: found[group] for group in dict.fromkeys(map(_reading_group, drafts))}


def _build_reading_finding(casino: Casino, draft: FindingDraft, version: RuleVersion, now: datetime) -> Finding:
    finding = _build_finding(casino, draft, now)
    finding.check_name = _reading_group(draft)[1]
    finding.subject_index = version.approved_index or version.proposed_index
    finding.at = version.effective_at or now
    finding.wager = finding.table = ""
    finding.required_cents = finding.found_cents = None
    finding.evidence, finding.explanation = [finding.subject_index], []
    return finding


def _reading_findings_without_cases(
    casino: Casino, blocks: Sequence[Block], still_found: dict[tuple[int, str], Finding]
) -> list[tuple[Finding, Finding | None]]:
    """Grouped findings whose cases were all in this range and are no longer found."""
    if blocks[0].is_new:
        return []
    here = _cases_in_range(casino, blocks)
    touched = Finding.objects.current().filter(cases__in=here).distinct()
    elsewhere = ReadingCase.objects.filter(log=casino.slug).exclude(pk__in=here.values("pk"))
    still = set(elsewhere.filter(finding__in=touched).values_list("finding_id", flat=True))
    kept_ids = {finding.pk for finding in still_found.values()}
    return [(finding, None) for finding in touched if finding.pk not in still | kept_ids]


def _cases_in_range(casino: Casino, blocks: Sequence[Block]) -> QuerySet[ReadingCase]:
    first, last = _entry_range(blocks)
    return ReadingCase.objects.filter(log=casino.slug, subject_index__gte=first, subject_index__lt=last)


def _write_cases(
    casino: Casino, blocks: Sequence[Block], drafts: Iterable[FindingDraft], of_readings: dict[tuple[int, str], Finding]
) -> None:
    if not blocks[0].is_new:
        _cases_in_range(casino, blocks).delete()
    ReadingCase.objects.bulk_create(
        ReadingCase(
            finding=of_readings[_reading_group(draft)],
            log=casino.slug,
            subject_index=draft.index,
            wager=draft.wager,
            table=draft.table,
            at=draft.at,
            choice=draft.reading[1],
            required_cents=draft.required_cents or 0,
            found_cents=draft.found_cents or 0,
        )
        for draft in drafts
        if draft.reading is not None
    )


def _delete_totals(casino: Casino, blocks: Sequence[Block]) -> None:
    """Deletes totals and impacts of a range that was audited before."""
    if not blocks[0].is_new:
        first, last = _entry_range(blocks)
        ReadingImpact.objects.filter(log=casino.slug, first__gte=first, first__lt=last).delete()
        delete_totals(casino.slug, first, last)


def _write_impacts(casino: Casino, blocks: Sequence[Block], evaluations: Sequence[Evaluation]) -> None:
    """Written as COPY text, because model instances cost several times the computation."""
    lines = [
        f"{casino.slug}\t{block.audited_to}\t{version}\t{reading.translate(COPY_ESCAPES)}\t{choice.translate(COPY_ESCAPES)}\t"
        f"{impact.wagers}\t{impact.adopted_cents}\t{impact.other_cents}\n"
        for block, one in zip(blocks, evaluations, strict=True)
        for (version, reading, choice), impact in one.impacts.items()
    ]
    if lines:
        with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_IMPACTS_SQL) as copied:
            copied.write("".join(lines))


# --- Coverage -------------------------------------------------------------------------------------------------------


class EngineDigests:
    """Rule versions and engine digest for Coverage, cached for blocks under the same versions."""

    def __init__(self) -> None:
        self._known: dict[frozenset[RuleVersionRef], tuple[list[dict[str, Any]], str]] = {}

    def digest_of(self, used: Sequence[RulesInForce]) -> tuple[list[dict[str, Any]], str]:
        key = frozenset(each.version for each in used)
        if key not in self._known:
            versions = versions_with_digests(used)
            self._known[key] = versions, _body_sha256({"versions": versions})
        return self._known[key]


def _build_coverage(
    casino: Casino, block: Block, evaluation: Evaluation, engines: EngineDigests, now: datetime
) -> Coverage:
    versions, engine_sha256 = engines.digest_of(evaluation.rules_used)
    return Coverage(
        log=casino.slug,
        first=block.audited_to,
        last=block.known_to,
        generation=block.generation,
        versions=versions,
        engine_sha256=engine_sha256,
        result_sha256=result_sha256(evaluation),
        rounds=evaluation.rounds,
        wagers=evaluation.wagers,
        findings=len(evaluation.drafts),
        audited_at=now,
    )


def versions_with_digests(used: Iterable[RulesInForce]) -> list[dict[str, Any]]:
    """Each version with its readings and a digest of what the running engine pays, by pay table."""
    found = {each.version: each for each in used}
    return [
        {
            "rules": version.rules,
            "number": version.number,
            "readings": dict(sorted(found[version].readings.items())),
            "truth_sha256": {
                pay_table: odds.truth_table_sha256(found[version].rules_for_pay_table(pay_table))
                for pay_table in sorted(found[version].pack.law.pay_table)
            },
        }
        for version in sorted(found, key=lambda version: (version.rules, version.number))
    ]


def result_sha256(evaluation: Evaluation) -> str:
    """Digest of all drafts in log order. The same whichever worker audits the range, and whenever."""
    found = sorted(evaluation.drafts, key=lambda draft: (draft.index, draft.wager, draft.check))
    return _body_sha256(
        {
            "rounds": evaluation.rounds,
            "wagers": evaluation.wagers,
            "findings": [_hashed_fields(draft) for draft in found],
            "readings": [[*choice, asdict(impact)] for choice, impact in evaluation.impacts.items()],
        }
    )


def _hashed_fields(draft: FindingDraft) -> dict[str, Any]:
    return {
        "code": draft.code,
        "subject": draft.index,
        "wager": draft.wager,
        "check": draft.check,
        "table": draft.table,
        "at": encode_timestamp(draft.at),
        "clause": draft.clause,
        "sentence": draft.sentence,
        "required_cents": draft.required_cents,
        "found_cents": draft.found_cents,
        "explanation": list(draft.explanation),
        "reading": list(draft.reading or ()),
    }


def _body_sha256(body: dict[str, Any]) -> str:
    return hashlib.sha256(encode_body(body)).hexdigest()


def _write_entries_and_rows(
    casino: Casino,
    new: list[Finding],
    gone: list[tuple[Finding, Finding | None]],
    covered: list[Coverage],
    now: datetime,
) -> None:
    """Appends the entries first, because the rows contain their indexes. Superseded findings are updated before their
    successors are inserted, because of the unique constraint on current findings."""
    entries = [make_entry(entry_kinds.FINDING, finding.entry_body(), table=finding.table or None) for finding in new]
    entries += [make_entry(entry_kinds.SUPERSEDED, old.superseded_body(), table=old.table or None) for old, _ in gone]
    entries += [make_entry(entry_kinds.COVERAGE, coverage.entry_body()) for coverage in covered]
    receipts = append(casino.slug, entries, now)
    for finding, receipt in zip(new, receipts, strict=False):
        finding.entry_index = receipt.index
    for (old, _), receipt in zip(gone, receipts[len(new) :], strict=False):
        old.superseded_index = receipt.index
    for coverage, receipt in zip(covered, receipts[-len(covered) :], strict=True):
        coverage.entry_index = receipt.index
    Finding.objects.bulk_update(
        [old for old, _ in gone], ["superseded_at", "superseded_reason", "superseded_index"], batch_size=500
    )
    Finding.objects.bulk_create(new, batch_size=500)
    successors = [(old, by) for old, by in gone if by is not None]
    for old, by in successors:
        old.superseded_by = by
    Finding.objects.bulk_update([old for old, _ in successors], ["superseded_by"], batch_size=500)
    Coverage.objects.bulk_create(covered)
