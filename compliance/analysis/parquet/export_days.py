"""Exports gaming days of a casino as a folder of Parquet files, with everything needed to recompute the settlements.

Reads one range of the log at a time, so memory is bounded. Deterministic: the same days of the same log give the same
bytes.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.partitions import DayPartitionWriter, open_writer
from compliance.analysis.parquet.payout_terms import TermsRegister, pack_file_path
from compliance.analysis.parquet.rows import ExportRange, rows_by_day
from compliance.audit.models import BLOCK_ENTRIES, PackedRound
from compliance.audit.projections.rounds import CONSUMER
from compliance.audit.selectors import entry_range_of_days, wager_counts_by_round
from compliance.core.accounts.models import Casino
from rounds.ledger import position_of, readers, signing, verify
from rounds.rulebook.models import FrozenPack
from rounds.transparency_log import formats
from rounds.transparency_log.errors import LedgerError

# Wagers read at once; each takes about a kilobyte while it is written.
MAX_WAGERS_IN_MEMORY = 65_536


class ExportError(LedgerError):
    """The request cannot be exported."""


@dataclass(frozen=True)
class ExportSummary:
    """What a finished folder contains. The digest of its manifest covers the digests of all other files."""

    days: int
    rounds: int
    wagers: int
    size: int
    unread: int
    manifest_sha256: str


def export_days(
    *,
    casino: Casino,
    first_day: date,
    last_day: date,
    folder: Path,
    now: datetime,
    before: int | None = None,
    show_progress: readers.ProgressCallback = readers.no_progress,
) -> ExportSummary:
    """From one gaming day to another, both included; only entries below `before`, if given. Atomic: written to a
    temporary folder and renamed when complete."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ExportError("folder-not-empty", f"{folder} is not empty: an export is written into a new folder.")
    note, key = signing.sign_or_last_valid(casino.slug, now), signing.verifier_key_for(casino.slug)
    size = formats.open_checkpoint(note, key).head.size
    unfinished = folder.with_name(f".{folder.name}.unfinished")
    # Left over from an interrupted export.
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        with verify.repeatable_read_snapshot():
            export = _DayExport(casino, first_day, last_day, unfinished)
            about = export.write(size if before is None else min(before, size), show_progress)
        about |= {"checkpoint": {"size": size, "note": note.decode(), "key": str(key)}}
        digest = _write_manifest(unfinished, about)
        unfinished.replace(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    unread = max(0, size - about["followed_to"])
    return ExportSummary(len(about["days"]), about["rounds"], about["wagers"], size, unread, digest)


class _DayExport:
    """State of one export while it is written."""

    def __init__(self, casino: Casino, first_day: date, last_day: date, folder: Path) -> None:
        self.casino, self.first_day, self.last_day, self.folder = casino, first_day, last_day, folder
        self.wagers = DayPartitionWriter(folder / schema.WAGERS, schema.arrow_schema(schema.WAGER_COLUMNS), casino.slug)
        self.findings = DayPartitionWriter(
            folder / schema.FINDINGS, schema.arrow_schema(schema.FINDING_COLUMNS), casino.slug
        )
        self.terms = TermsRegister()
        self.counts: dict[date, dict[str, int]] = {}

    def write(self, before: int, show_progress: readers.ProgressCallback) -> dict[str, Any]:
        """Writes the entries below `before`. Returns the content of the manifest."""
        span = entry_range_of_days(self.casino.slug, self.first_day, self.last_day)
        if span is None:
            raise ExportError("no-rounds", "The audit knows no rounds of these gaming days.")
        first, end = span[0], min(span[1], before)
        for begin, stop in self._entry_ranges(first, end):
            self._write_range(begin, stop)
            show_progress(stop - first, end - first)
        self.wagers.close()
        self.findings.close()
        self._write_rules()
        days = {"gaming_day__gte": self.first_day, "gaming_day__lte": self.last_day, "entry_index__lt": before}
        gone = PackedRound.objects.filter(log=self.casino.slug, taken_back_index__isnull=False, **days).count()
        return {
            "format": schema.FORMAT_VERSION,
            "casino": self.casino.slug,
            "name": self.casino.name,
            "first_day": self.first_day.isoformat(),
            "last_day": self.last_day.isoformat(),
            "days": {day.isoformat(): counts for day, counts in sorted(self.counts.items())},
            "rounds": sum(each["rounds"] for each in self.counts.values()),
            "wagers": sum(each["wagers"] for each in self.counts.values()),
            "rounds_taken_back": gone,
            "entries": [first, end],
            "followed_to": position_of(CONSUMER, self.casino.slug),
        }

    def _entry_ranges(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Ranges within blocks, each with at most MAX_WAGERS_IN_MEMORY wagers or a single round."""
        for block in range(first // BLOCK_ENTRIES, -(-end // BLOCK_ENTRIES)):
            begin, stop = max(first, block * BLOCK_ENTRIES), min(end, (block + 1) * BLOCK_ENTRIES)
            held = 0
            for index, wagers in wager_counts_by_round(self.casino.slug, begin, stop):
                if held and held + wagers > MAX_WAGERS_IN_MEMORY:
                    yield begin, index
                    begin, held = index, 0
                held += wagers
            yield begin, stop

    def _write_range(self, first: int, end: int) -> None:
        for rows in rows_by_day(ExportRange(self.casino, first, end), self.first_day, self.last_day, self.terms):
            self.wagers.add(rows.day, rows.wagers)
            self.findings.add(rows.day, rows.findings)
            counts = self.counts.setdefault(rows.day, {"rounds": 0, "wagers": 0})
            counts["rounds"] += rows.rounds
            counts["wagers"] += rows.wagers.num_rows

    def _write_rules(self) -> None:
        (self.folder / schema.RULES).mkdir()
        for digest in {each.pack_sha256 for each in self.terms.written.values()}:
            content = FrozenPack.objects.values_list("content", flat=True).get(sha256=digest)
            (self.folder / pack_file_path(digest)).write_bytes(bytes(content))
        written = msgspec.json.format(msgspec.json.encode(self.terms.written), indent=2)
        (self.folder / schema.TERMS_FILE).write_bytes(written + b"\n")
        payouts = self.terms.payout_table()
        with open_writer(self.folder / schema.PAYOUTS, payouts.schema) as writer:
            writer.write_table(payouts)


def _write_manifest(folder: Path, about: dict[str, Any]) -> str:
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        record: dict[str, Any] = {"sha256": digest, "bytes": path.stat().st_size}
        if path.suffix == ".parquet":
            record["rows"] = pq.read_metadata(path).num_rows
        files[path.relative_to(folder).as_posix()] = record
    content = json.dumps(about | {"files": files}, indent=2, ensure_ascii=False).encode() + b"\n"
    (folder / schema.MANIFEST).write_bytes(content)
    return sha256(content).hexdigest()
