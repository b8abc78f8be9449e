"""Opens an export folder and verifies it: known format, no file missing, added or changed."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.payout_terms import WrittenTerms, recompute_payouts
from rounds.engine import EngineError
from rounds.transparency_log import formats
from rounds.transparency_log.errors import LedgerError


class FolderError(LedgerError):
    """The files cannot be audited or trusted."""


class ManifestFile(msgspec.Struct, frozen=True):
    """A file's digest and size in the manifest."""

    sha256: str
    bytes: int
    rows: int | None = None


class ManifestDay(msgspec.Struct, frozen=True):
    """A gaming day's totals in the manifest."""

    rounds: int
    wagers: int


class ManifestCheckpoint(msgspec.Struct, frozen=True):
    """The signed checkpoint of the log in the manifest."""

    size: int
    note: str
    key: str


class ParquetManifest(msgspec.Struct, frozen=True):
    """The parsed manifest.json."""

    casino: str
    first_day: str
    last_day: str
    days: dict[str, ManifestDay]
    rounds: int
    wagers: int
    rounds_taken_back: int
    checkpoint: ManifestCheckpoint
    files: dict[str, ManifestFile]


class ManifestVersion(msgspec.Struct, frozen=True):
    """The format version alone, which is checked before the rest is parsed."""

    format: str


@dataclass(frozen=True)
class ExportFolder:
    """An opened and verified export folder."""

    path: Path
    manifest: ParquetManifest
    manifest_sha256: str

    def part_files(self, of: str) -> list[Path]:
        return [self.path / name for name in sorted(self.manifest.files) if name.startswith(f"{of}/")]


def open_folder(path: Path) -> ExportFolder:
    """Digests are compared first, so that a changed file is reported as such and not as a wrong settlement."""
    try:
        content = (path / schema.MANIFEST).read_bytes()
    except OSError as error:
        raise FolderError(
            "no-manifest", f"{path} has no {schema.MANIFEST}: it is no folder that export_parquet wrote."
        ) from error
    folder = ExportFolder(path, _read_manifest(content), sha256(content).hexdigest())
    _check_files(folder)
    _check_days(folder)
    _check_checkpoint(folder.manifest.checkpoint)
    return folder


def _read_manifest(content: bytes) -> ParquetManifest:
    try:
        written_as = msgspec.json.decode(content, type=ManifestVersion).format
        if written_as != schema.FORMAT_VERSION:
            raise FolderError(
                "unknown-format",
                f"The files are of the format {written_as[:60]!r}; this version reads {schema.FORMAT_VERSION!r}.",
            )
        return msgspec.json.decode(content, type=ParquetManifest)
    except msgspec.DecodeError as error:
        raise FolderError("damaged", f"{schema.MANIFEST} is damaged: {error}.") from error


def _check_files(folder: ExportFolder) -> None:
    named = folder.manifest.files
    there = {each.relative_to(folder.path).as_posix() for each in folder.path.rglob("*") if each.is_file()}
    _raise_folder_error("missing", "is missing", named.keys() - there)
    _raise_folder_error("not-named", f"is not named in {schema.MANIFEST}", there - named.keys() - {schema.MANIFEST})
    with ThreadPoolExecutor() as pool:
        are_same = pool.map(lambda name: _is_unchanged(folder.path / name, named[name]), named)
        changed = [name for name, is_same in zip(named, are_same, strict=True) if not is_same]
    _raise_folder_error("changed", "is damaged or was changed: its SHA-256 is another", changed)


def _raise_folder_error(code: str, what: str, names: Iterable[str]) -> None:
    found = sorted(names)
    if found:
        more = f" So is {len(found) - 1} more." if len(found) == 2 else f" So are {len(found) - 1} more."
        raise FolderError(code, f"{found[0]} {what}.{more if len(found) > 1 else ''}")


def _is_unchanged(path: Path, file: ManifestFile) -> bool:
    with path.open("rb") as content:
        return path.stat().st_size == file.bytes and file_digest(content, "sha256").hexdigest() == file.sha256


def _check_days(folder: ExportFolder) -> None:
    """Every gaming day has the rows that the manifest states, and the days add up."""
    manifest, found = folder.manifest, dict.fromkeys(folder.manifest.days, 0)
    for name, file in manifest.files.items():
        if name.startswith(f"{schema.WAGERS}/"):
            day = Path(name).parent.name.removeprefix("gaming_day=")
            found[day] = found.get(day, 0) + (file.rows or 0)
    for day, rows in found.items():
        expected = manifest.days[day].wagers if day in manifest.days else 0
        if rows != expected:
            raise FolderError("rows-missing", f"Gaming day {day} has {rows:,} wagers; there should be {expected:,}.")
    if sum(day.wagers for day in manifest.days.values()) != manifest.wagers:
        raise FolderError("rows-missing", f"The gaming days together do not have the {manifest.wagers:,} wagers said.")


def _check_checkpoint(checkpoint: ManifestCheckpoint) -> None:
    signed = formats.open_checkpoint(checkpoint.note.encode(), formats.VerifierKey.parse(checkpoint.key))
    if signed.head.size != checkpoint.size:
        raise FolderError(
            "other-checkpoint", f"The checkpoint signed is of {signed.head.size:,} entries, not of as many."
        )


def read_payouts(folder: ExportFolder) -> Any:
    """What each box pays at each result. Recomputed from the rule packs; an error where the file differs."""
    try:
        written = msgspec.json.decode((folder.path / schema.TERMS_FILE).read_bytes(), type=dict[str, WrittenTerms])
        recomputed = recompute_payouts(written, lambda name: (folder.path / name).read_bytes())
        stored = pq.read_table(folder.path / schema.PAYOUTS)
    except (msgspec.DecodeError, EngineError, OSError, ValueError) as error:
        raise FolderError("bad-rules", f"The rules beside the wagers cannot be read: {str(error)[:200]}.") from error
    if not stored.equals(recomputed):
        raise FolderError("other-payouts", f"{schema.PAYOUTS} does not say what the rule packs beside it give.")
    return stored
