"""Writes an evidence bundle: the folder an inspector takes away. ``bundle_readme.txt`` describes its format.

Entries, checkpoints and proofs are streamed, so memory use does not grow with the length of the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from rounds.ledger.errors import BundleError
from rounds.transparency_log.formats.leaf import encode_timestamp, leaf_bytes
from rounds.transparency_log.formats.signed_note import VerifierKey, encode_base64, open_checkpoint
from rounds.transparency_log.offline.feed_completeness import FeedTable
from rounds.transparency_log.offline.single_file_verifiers import BUNDLE_VERIFIER
from rounds.transparency_log.tree.merkle import RangeProof, leaf_hash

FORMAT = "fairthrow-evidence/1"
README_FILE = Path(__file__).with_name("bundle_readme.txt")
_PACK_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9@._-]{0,150}")

ConsistencyProver = Callable[[int, int], list[bytes]]
# Given the feeds of a range, returns entries elsewhere in the log that hold the neighbouring sequence numbers, each
# with its own inclusion proof.
RelatedEntriesFinder = Callable[[FeedTable], "Iterable[BundleEntry]"]


@dataclass(frozen=True, slots=True)
class BundleSource:
    """Which log the bundle is from, and when it was exported."""

    casino: str
    log: str
    key: VerifierKey
    exported_at: datetime


@dataclass(frozen=True, slots=True)
class BundleEntry:
    """One entry as stored. ``inclusion`` is its inclusion proof, needed when entries are selected singly."""

    index: int
    header: bytes
    body: bytes
    inclusion: tuple[bytes, ...] | None = None


@dataclass(frozen=True, slots=True)
class WrittenBundle:
    """Summary of a finished bundle."""

    count: int
    start: int
    end: int
    size: int


def write_bundle(
    folder: Path,
    source: BundleSource,
    *,
    entries: Iterable[BundleEntry],
    checkpoints: Iterable[bytes],
    prove_consistency: ConsistencyProver,
    range_proof: RangeProof | None = None,
    packs: Iterable[tuple[str, bytes]] = (),
    find_related: RelatedEntriesFinder | None = None,
) -> WrittenBundle:
    """Write a bundle. With a range proof the entries are one contiguous range, without it a selection.

    ``checkpoints`` are the log's signed notes, oldest first; the proofs were made for the last one.
    ``prove_consistency(first, second)`` returns the proof between two sizes of the log. With ``find_related`` the
    bundle of a range also states which sequence numbers of each controller it holds and which are missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise BundleError("folder-not-empty", f"{folder.name} is not empty: evidence is written into a new folder.")
    writer = _FolderWriter(folder)
    size = writer.write_checkpoints(checkpoints, source.key, prove_consistency)
    count, start, end = writer.write_entries(entries, is_range=range_proof is not None)
    if end > size:
        raise BundleError("beyond-checkpoint", f"Entry {end - 1} is later than the last checkpoint, of {size} entries.")
    if find_related is not None:
        writer.write_completeness(find_related)
    for name, content in packs:
        writer.write_rule_pack(name, content)
    writer.write_file("README.txt", README_FILE.read_bytes())
    writer.write_file(BUNDLE_VERIFIER.file_name, BUNDLE_VERIFIER.content)
    written = WrittenBundle(count, start, end, size)
    writer.write_manifest(_build_manifest(source, written, range_proof))
    return written


def _build_manifest(source: BundleSource, written: WrittenBundle, proof: RangeProof | None) -> dict[str, Any]:
    claims: dict[str, Any] = {
        "format": FORMAT,
        "casino": source.casino,
        "log": source.log,
        "origin": source.key.name,
        "verifier_key": str(source.key),
        "exported_at": encode_timestamp(source.exported_at),
        "kind": "selection" if proof is None else "range",
        **asdict(written),
    }
    if proof is not None:
        claims["range_proof"] = {"left": _encode_hashes(proof.left), "right": _encode_hashes(proof.right)}
    return claims


def _encode_hashes(hashes: Iterable[bytes]) -> list[str]:
    return [encode_base64(one) for one in hashes]


class _FolderWriter:
    """Writes the files of one folder and records the SHA-256 of each for the manifest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, dict[str, str]] = {}
        self.feeds = FeedTable()

    @contextmanager
    def _open_file(self, name: str) -> Iterator[Callable[[bytes], None]]:
        digest = sha256()
        with (self.folder / name).open("xb") as file:
            yield lambda content: _write_and_hash(file, digest.update, content)
        self.files[name] = {"sha256": digest.hexdigest()}

    def write_file(self, name: str, content: bytes) -> None:
        with self._open_file(name) as put:
            put(content)

    def write_rule_pack(self, name: str, content: bytes) -> None:
        if not _PACK_NAME.fullmatch(name):
            raise BundleError("bad-pack-name", "A rule pack's file name must be letters, digits and @ . _ - only.")
        (self.folder / "packs").mkdir(exist_ok=True)
        self.write_file(f"packs/{name}", content)

    def write_checkpoints(self, notes: Iterable[bytes], key: VerifierKey, prove: ConsistencyProver) -> int:
        sizes = [0]
        with self._open_file("checkpoints.txt") as put:
            for position, note in enumerate(notes):
                sizes.append(open_checkpoint(note, key).head.size)
                put(b"\n" + note if position else note)
        with self._open_file("consistency.ndjson") as put:
            for first, second in pairwise(sizes):
                if first:
                    put(
                        _encode_json_line(
                            {"first": first, "second": second, "proof": _encode_hashes(prove(first, second))}
                        )
                    )
        return sizes[-1]

    def write_entries(self, entries: Iterable[BundleEntry], *, is_range: bool) -> tuple[int, int, int]:
        """Returns the number of entries, the first index, and the index after the last."""
        count = start = end = 0
        with self._open_file("entries.ndjson") as put, self._leaf_hashes(is_range) as put_hash:
            for entry in entries:
                start, due = (start, end) if count else (entry.index, entry.index)
                if entry.index < due or (is_range and entry.index != due):
                    raise BundleError("out-of-order", f"Entry {entry.index} was given where entry {due} is due.")
                leaf = leaf_hash(leaf_bytes(entry.header, entry.body))
                put(_encode_json_line(_entry_json_members(entry, leaf, is_range=is_range)))
                put_hash(leaf)
                self._count_feed_entry(entry)
                count, end = count + 1, entry.index + 1
        if not count:
            raise BundleError("no-entries", "There are no entries to give evidence of.")
        return count, start, end

    def _count_feed_entry(self, entry: BundleEntry, *, is_related: bool = False) -> None:
        self.feeds.add_entry(
            msgspec.json.decode(entry.header), entry.body.decode(errors="replace"), is_related=is_related
        )

    def write_completeness(self, find_related: RelatedEntriesFinder) -> None:
        """Write the completeness statement. It is computed by the code that also verifies it; the tests compare both
        with an independent count.
        """
        with self._open_file("beside.ndjson") as put:
            for entry in find_related(self.feeds):
                leaf = leaf_hash(leaf_bytes(entry.header, entry.body))
                put(_encode_json_line(_entry_json_members(entry, leaf, is_range=False)))
                self._count_feed_entry(entry, is_related=True)
        stated = msgspec.json.encode({"feeds": self.feeds.as_statement()})
        self.write_file("completeness.json", msgspec.json.format(stated, indent=1) + b"\n")

    @contextmanager
    def _leaf_hashes(self, is_range: bool) -> Iterator[Callable[[bytes], None]]:
        if not is_range:
            yield lambda _: None
            return
        with self._open_file("leaf-hashes.bin") as put:
            yield put

    def write_manifest(self, claims: dict[str, Any]) -> None:
        manifest = msgspec.json.encode({**claims, "files": self.files}, order="deterministic")
        (self.folder / "manifest.json").write_bytes(msgspec.json.format(manifest, indent=1) + b"\n")


def _write_and_hash(file: BinaryIO, digest: Callable[[bytes], None], content: bytes) -> None:
    file.write(content)
    digest(content)


def _encode_json_line(members: dict[str, Any]) -> bytes:
    return msgspec.json.encode(members) + b"\n"


def _entry_json_members(entry: BundleEntry, leaf: bytes, *, is_range: bool) -> dict[str, Any]:
    members: dict[str, Any] = {"index": entry.index, "leaf_hash": leaf.hex(), "header": entry.header.decode()}
    try:
        members["body"] = entry.body.decode()
    except UnicodeDecodeError:
        members["body_base64"] = encode_base64(entry.body)
    if not is_range:
        if entry.inclusion is None:
            raise BundleError("no-proof", f"Entry {entry.index} was selected without its inclusion proof.")
        members["inclusion"] = _encode_hashes(entry.inclusion)
    return members
