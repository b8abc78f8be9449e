"""Output of `manage.py audit --parquet`. Exit code 2 where the files contradict what was recomputed from them. A wrong
settlement that the audit also reports is not a contradiction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from compliance.analysis.parquet.compare_verdicts import FolderAudit, SettlementDifference, audit_folder
from compliance.analysis.parquet.settlement_basis import BY_ODDS, SETTLEMENT_BASES
from compliance.audit.context.finding_draft import format_amount
from rounds.transparency_log.errors import LedgerError

CONTRADICTED_EXIT_CODE = 2
OutputLine = tuple[str, dict[str, Any]]


def output_lines(folder: Path) -> Iterator[OutputLine]:
    try:
        audited = audit_folder(folder)
    except LedgerError as error:
        raise CommandError(error.sentence) from error
    yield from map(_difference_line, audited.differences)
    yield from _not_recomputed_lines(audited)
    yield _summary_line(audited)
    if audited.contradiction_count:
        raise CommandError(
            f"{audited.contradiction_count:,} settlements come out otherwise than the files say.",
            returncode=CONTRADICTED_EXIT_CODE,
        )


def _difference_line(each: SettlementDifference) -> OutputLine:
    record = {
        "entry": each.entry_index, "table": each.table, "wager": each.wager, "bet": each.bet, "code": each.code,
        "required_cents": each.required_cents, "found_cents": each.found_cents, "is_recomputed": each.is_recomputed,
        "contradiction": each.contradiction,
    }  # fmt: skip
    what = f"wager {each.wager} on {each.bet}" if each.bet else f"wager {each.wager}" if each.wager else "the round"
    due = (
        "the rules do not say what is due"
        if each.required_cents is None
        else f"{format_amount(each.required_cents)} is due"
    )
    code = each.code or "no finding"
    rest = "" if each.is_recomputed else ", by the audit’s verdict"
    rest += f"; {each.contradiction}" if each.contradiction else ""
    found = format_amount(each.found_cents)
    text = f"{each.table} entry {each.entry_index}: {what}: {due}, {found} came back ({code}{rest})."
    return text, record


def _not_recomputed_lines(audited: FolderAudit) -> Iterator[OutputLine]:
    """One line per reason, so that nothing is skipped silently."""
    for way, why in SETTLEMENT_BASES.items():
        count = audited.recomputed.ways[way]
        if way != BY_ODDS and count:
            yield f"Not recomputed: {count:,} wagers: {why}.", {"not_recomputed": way, "wagers": count}


def _summary_line(audited: FolderAudit) -> OutputLine:
    manifest, done = audited.folder.manifest, audited.recomputed
    shown = sum(1 for each in audited.differences if each.is_recomputed)
    left = done.wagers - audited.recomputed_count
    text = (
        f"{manifest.casino}, {manifest.first_day} to {manifest.last_day}: {manifest.rounds:,} rounds, {done.wagers:,} "
        f"wagers. {audited.recomputed_count:,} were recomputed, {shown:,} of them differ. {left:,} are decided by more "
        f"than "
        f"their odds, {len(audited.differences) - shown:,} differences by the audit’s verdict."
    )
    if done.waiting:
        text += f" {done.waiting:,} had not been audited when the files were written."
    text += f" Held to a checkpoint of {manifest.checkpoint.size:,} entries; manifest {audited.folder.manifest_sha256}."
    record = {
        "casino": manifest.casino, "first_day": manifest.first_day, "last_day": manifest.last_day,
        "rounds": manifest.rounds, "wagers": done.wagers, "recomputed": audited.recomputed_count, "differ": shown,
        "by_the_audit": len(audited.differences) - shown, "waiting": done.waiting,
        "contradictions": audited.contradiction_count, "checkpoint": manifest.checkpoint.size,
        "manifest_sha256": audited.folder.manifest_sha256,
    }  # fmt: skip
    return text, record
