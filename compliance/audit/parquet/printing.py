"""What `manage.py audit --parquet` prints. It ends with 2 where the files do not say of themselves what was recomputed;
a wrong settlement that the audit has found too is no such thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from compliance.audit.drafts import amount
from compliance.audit.parquet.comparing import Audited, Difference, audit_folder
from compliance.audit.parquet.ways import ODDS, WAYS
from rounds.ledger.errors import LedgerError

CONTRADICTED = 2
Line = tuple[str, dict[str, Any]]


def lines(folder: Path) -> Iterator[Line]:
    try:
        audited = audit_folder(folder)
    except LedgerError as error:
        raise CommandError(error.sentence) from error
    yield from map(_difference, audited.differences)
    yield from _not_recomputed(audited)
    yield _summary(audited)
    if audited.contradictions:
        raise CommandError(
            f"{audited.contradictions:,} settlements come out otherwise than the files say.", returncode=CONTRADICTED
        )


def _difference(each: Difference) -> Line:
    record = {
        "entry": each.entry_index, "table": each.table, "wager": each.wager, "bet": each.bet, "code": each.code,
        "required_cents": each.required_cents, "found_cents": each.found_cents, "is_recomputed": each.is_recomputed,
        "contradiction": each.contradiction,
    }  # fmt: skip
    what = f"wager {each.wager} on {each.bet}" if each.bet else f"wager {each.wager}" if each.wager else "the round"
    due = "the rules do not say what is due" if each.required_cents is None else f"{amount(each.required_cents)} is due"
    code = each.code or "no finding"
    rest = "" if each.is_recomputed else ", by the audit’s verdict"
    rest += f"; {each.contradiction}" if each.contradiction else ""
    text = f"{each.table} entry {each.entry_index}: {what}: {due}, {amount(each.found_cents)} came back ({code}{rest})."
    return text, record


def _not_recomputed(audited: Audited) -> Iterator[Line]:
    """Each reason by itself: nothing is passed over without a word."""
    for way, why in WAYS.items():
        count = audited.recomputed.ways[way]
        if way != ODDS and count:
            yield f"Not recomputed: {count:,} wagers: {why}.", {"not_recomputed": way, "wagers": count}


def _summary(audited: Audited) -> Line:
    manifest, done = audited.folder.manifest, audited.recomputed
    shown = sum(1 for each in audited.differences if each.is_recomputed)
    left = done.wagers - audited.by_odds
    text = (
        f"{manifest.casino}, {manifest.first_day} to {manifest.last_day}: {manifest.rounds:,} rounds, {done.wagers:,} "
        f"wagers. {audited.by_odds:,} were recomputed, {shown:,} of them differ. {left:,} are decided by more than "
        f"their odds, {len(audited.differences) - shown:,} differences by the audit’s verdict."
    )
    if done.waiting:
        text += f" {done.waiting:,} had not been audited when the files were written."
    text += f" Held to a checkpoint of {manifest.checkpoint.size:,} entries; manifest {audited.folder.manifest_sha256}."
    record = {
        "casino": manifest.casino, "first_day": manifest.first_day, "last_day": manifest.last_day,
        "rounds": manifest.rounds, "wagers": done.wagers, "recomputed": audited.by_odds, "differ": shown,
        "by_the_audit": len(audited.differences) - shown, "waiting": done.waiting,
        "contradictions": audited.contradictions, "checkpoint": manifest.checkpoint.size,
        "manifest_sha256": audited.folder.manifest_sha256,
    }  # fmt: skip
    return text, record
