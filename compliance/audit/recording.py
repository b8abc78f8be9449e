"""Auditing the next blocks of a log and recording what came of it: findings and coverage, in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet

from compliance.accounts.models import Casino
from compliance.audit import kinds
from compliance.audit.catalogue import CODES
from compliance.audit.checks import check_names
from compliance.audit.drafts import Draft
from compliance.audit.judging import Judged, judge_stretches
from compliance.audit.models import Block, Coverage, Finding, ReadingCase, ReadingWeight
from compliance.audit.seen import Circumstances, Governing
from compliance.audit.summing import ESCAPES, copy_played, forget_played
from rounds.engine.truth import truth_sha256
from rounds.ledger.appending import append, record
from rounds.ledger.leaves import write_body, write_instant
from rounds.rulebook.models import RuleVersion

READINGS_LOCK = 0x52454144
# A worker holds the columns of as many in memory at once; what a turn costs whatever it has to do is too much for less.
BLOCKS_AT_ONCE, FEWEST_AT_ONCE = 12, 4
COPY_WEIGHTS = """
COPY audit_readingweight (log, first, version_id, reading, choice, wagers, adopted_cents, other_cents) FROM STDIN
"""
Key = tuple[int, str, str, int | None]


@transaction.atomic
def audit_next_blocks(*, casino: Casino, now: datetime, within: tuple[int, int] | None = None) -> list[Coverage]:
    """The first blocks that wait and that no other worker has taken; none when there are none.

    The blocks' rows are locked until everything is recorded: a worker that dies leaves no trace, and one that comes
    second finds nothing left to do.
    """
    waiting = Block.objects.filter(log=casino.slug).waiting()
    if within is not None:
        waiting = waiting.filter(known_to__gt=within[0], audited_to__lt=within[1])
    # Half of what waits, so that a second worker finds as much; where more waits, there is enough for everybody.
    share = min(BLOCKS_AT_ONCE, max(FEWEST_AT_ONCE, 1 + waiting.count() // 2))
    locked = waiting.select_for_update(skip_locked=True, no_key=True).order_by("number")[:share]
    blocks = _taken_together(list(locked))
    if not blocks:
        return []
    judged = judge_stretches(casino, [(block.audited_to, block.known_to) for block in blocks])
    return _record(casino, blocks, judged, now)


def _taken_together(waiting: Sequence[Block]) -> list[Block]:
    """New blocks that follow one another: most of what judging a block costs is the same for several. One that is
    audited again is compared with what stands, by itself."""
    taken = list(waiting[:1])
    for block in waiting[1:]:
        if not (taken[-1].is_new and block.is_new and block.audited_to == taken[-1].known_to):
            break
        taken.append(block)
    return taken


@dataclass(frozen=True)
class Changes:
    """What a judgement changes: findings to record, and those that no longer stand with what takes their place."""

    new: list[Finding]
    superseded: list[tuple[Finding, Finding | None]]


def _record(casino: Casino, blocks: Sequence[Block], judged: Sequence[Judged], now: datetime) -> list[Coverage]:
    """What needs no entry's index comes first: from the entries on, other workers wait for the log."""
    every = [draft for one in judged for draft in one.drafts]
    changes = _changes(casino, blocks, [draft for draft in every if draft.reading is None], now)
    grouped = [draft for draft in every if draft.reading is not None]
    of_readings = _reading_findings(casino, grouped, now)
    new = changes.new + [finding for finding in of_readings.values() if finding.pk is None]
    gone = changes.superseded + _readings_without_cases(casino, blocks, of_readings)
    why = blocks[0].reopened_because or "The range was audited again."
    for old, _ in gone:
        # The server's clock may have been put back since it was found.
        old.superseded_at, old.superseded_reason = max(now, old.found_at), why
    engines = Engines()
    covered = [_coverage(casino, block, one, engines, now) for block, one in zip(blocks, judged, strict=True)]
    _forget_sums(casino, blocks)
    _write_weights(casino, blocks, judged)
    copy_played(casino.slug, [(block.audited_to, one.played) for block, one in zip(blocks, judged, strict=True)])
    _write(casino, new, gone, covered, now)
    _write_cases(casino, blocks, grouped, of_readings)
    Block.objects.filter(pk__in=[block.pk for block in blocks]).update(audited_to=F("known_to"), reopened_because="")
    return covered


def _stretch(blocks: Sequence[Block]) -> tuple[int, int]:
    return blocks[0].audited_to, blocks[-1].known_to


def _changes(casino: Casino, blocks: Sequence[Block], drafts: Iterable[Draft], now: datetime) -> Changes:
    first, last = _stretch(blocks)
    subjects = {"subject_index__gte": first, "subject_index__lt": last}
    rows = Finding.objects.standing().filter(log=casino.slug, check_name__in=check_names(), **subjects)
    standing = {} if blocks[0].is_new else {_key(row): row for row in rows}
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
    casino: Casino, blocks: Sequence[Block], kept: dict[tuple[int, str], Finding]
) -> list[tuple[Finding, Finding | None]]:
    """Those whose every case lay in this range and is no longer found."""
    if blocks[0].is_new:
        return []
    here = _cases_of(casino, blocks)
    touched = Finding.objects.standing().filter(cases__in=here).distinct()
    elsewhere = ReadingCase.objects.filter(log=casino.slug).exclude(pk__in=here.values("pk"))
    still = set(elsewhere.filter(finding__in=touched).values_list("finding_id", flat=True))
    kept_ids = {finding.pk for finding in kept.values()}
    return [(finding, None) for finding in touched if finding.pk not in still | kept_ids]


def _cases_of(casino: Casino, blocks: Sequence[Block]) -> QuerySet[ReadingCase]:
    first, last = _stretch(blocks)
    return ReadingCase.objects.filter(log=casino.slug, subject_index__gte=first, subject_index__lt=last)


def _write_cases(
    casino: Casino, blocks: Sequence[Block], drafts: Iterable[Draft], of_readings: dict[tuple[int, str], Finding]
) -> None:
    if not blocks[0].is_new:
        _cases_of(casino, blocks).delete()
    ReadingCase.objects.bulk_create(
        ReadingCase(
            finding=of_readings[_group_of(draft)], log=casino.slug, subject_index=draft.index, wager=draft.wager,
            table=draft.table, at=draft.at, choice=draft.reading[1], required_cents=draft.required_cents or 0,
            found_cents=draft.found_cents or 0,
        )
        for draft in drafts
        if draft.reading is not None
    )  # fmt: skip


def _forget_sums(casino: Casino, blocks: Sequence[Block]) -> None:
    """Of a range that was audited before."""
    if not blocks[0].is_new:
        first, last = _stretch(blocks)
        ReadingWeight.objects.filter(log=casino.slug, first__gte=first, first__lt=last).delete()
        forget_played(casino.slug, first, last)


def _write_weights(casino: Casino, blocks: Sequence[Block], judged: Sequence[Judged]) -> None:
    """Row by row as text: a model's instance costs several times what weighing it does."""
    lines = [
        f"{casino.slug}\t{block.audited_to}\t{version}\t{reading.translate(ESCAPES)}\t{choice.translate(ESCAPES)}\t"
        f"{weight.wagers}\t{weight.adopted_cents}\t{weight.other_cents}\n"
        for block, one in zip(blocks, judged, strict=True)
        for (version, reading, choice), weight in one.weights.items()
    ]
    if lines:
        with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(COPY_WEIGHTS) as copied:
            copied.write("".join(lines))


# --- Coverage -------------------------------------------------------------------------------------------------------


class Engines:
    """What judged, as coverage names it, with its digest: written down once for all blocks with the same versions."""

    def __init__(self) -> None:
        self._known: dict[frozenset[Governing], tuple[list[dict[str, Any]], str]] = {}

    def of(self, used: Sequence[Circumstances]) -> tuple[list[dict[str, Any]], str]:
        key = frozenset(each.version for each in used)
        if key not in self._known:
            versions = versions_used(used)
            self._known[key] = versions, _sha256({"versions": versions})
        return self._known[key]


def _coverage(casino: Casino, block: Block, judged: Judged, engines: Engines, now: datetime) -> Coverage:
    versions, engine_sha256 = engines.of(judged.used)
    return Coverage(
        log=casino.slug, first=block.audited_to, last=block.known_to, generation=block.generation, versions=versions,
        engine_sha256=engine_sha256, result_sha256=result_sha256(judged), rounds=judged.rounds,
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
    casino: Casino, new: list[Finding], gone: list[tuple[Finding, Finding | None]], covered: list[Coverage],
    now: datetime,
) -> None:  # fmt: skip
    """Entries first, because rows bear their indexes; what is superseded makes way before its successor comes."""
    entries = [record(kinds.FINDING, finding.as_record(), table=finding.table or None) for finding in new]
    entries += [record(kinds.SUPERSEDED, old.superseding_record(), table=old.table or None) for old, _ in gone]
    entries += [record(kinds.COVERAGE, coverage.as_record()) for coverage in covered]
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
