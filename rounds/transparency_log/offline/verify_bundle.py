"""Check a folder of evidence offline: python3 -I verify_bundle.py FOLDER [--key KEY] [--seen CHECKPOINT]

One file, standard library only (Python 3.10 or newer). README.txt in the folder describes every file it reads.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

from rounds.transparency_log.offline.feed_completeness import FeedTable, describe_feed
from rounds.transparency_log.offline.messages import EvidenceError, print_safely
from rounds.transparency_log.offline.signed_note import open_signed_checkpoint, parse_key, split_checkpoint_notes
from rounds.transparency_log.offline.strict_read import decode_base64, parse_hashes, parse_json_object
from rounds.transparency_log.offline.tree import TreeEdge, TreeHead, is_consistent, leaf_hash, root_from_inclusion_proof

FORMAT = "fairthrow-evidence/1"
MAX_LINE = 8 * 1024 * 1024
MAX_FILE = 64 * 1024 * 1024
MAX_PRINTED_FEEDS = 100
APPROVAL_KIND = "rule-version-approved"
FILE_NAME = re.compile(r"(packs/)?[A-Za-z0-9][A-Za-z0-9@._-]{0,150}")


def entry_hash(entry: dict[str, Any], proof: set[str]) -> bytes:
    """The leaf hash: header as stored, a newline, the body byte for byte."""
    what = f"Entry {entry['index']}"
    body = {"body", "body_base64"} & set(entry)
    if len(body) != 1 or set(entry) != {"index", "leaf_hash", "header"} | body | proof or "\n" in entry["header"]:
        raise EvidenceError(f"{what} does not fit: its line has not the parts that an entry has.")
    if "body_base64" in entry:
        raw = decode_base64(entry["body_base64"], f"The body of {what}")
    else:
        raw = str(entry["body"]).encode()
    return leaf_hash(entry["header"].encode() + b"\n" + raw)


def header_facts(entry: dict[str, Any], log: str) -> dict[str, Any]:
    facts = parse_json_object(entry["header"].encode(), f"The header of entry {entry['index']}", kind=str, log=str)
    if facts["log"] != log:
        raise EvidenceError(f"{describe_entry(entry)} does not fit: it names another log.")
    return facts


def describe_entry(entry: dict[str, Any]) -> str:
    try:
        facts = json.loads(entry["header"])
        parts = [f"{name.replace('_', ' ')} {facts[name]}" for name in ("kind", "table", "recorded_at") if facts[name]]
        return f"Entry {entry['index']} ({', '.join(parts)})"
    except (ValueError, LookupError, TypeError, RecursionError):
        return f"Entry {entry['index']}"


class Bundle:
    """An evidence folder, verified step by step. The first step that fails raises EvidenceError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.proved: list[str] = []
        self.not_shown = ""
        self.recorded = self.recorded_hashes()
        self.approved: dict[str, str] = {}
        self.feeds = FeedTable()
        with self.open_file("manifest.json") as file:
            raw = file.read(MAX_FILE)
        types = dict.fromkeys(("format", "kind", "casino", "log", "origin", "verifier_key", "exported_at"), str)
        self.manifest = parse_json_object(
            raw, "manifest.json", start=int, end=int, count=int, size=int, files=dict, **types
        )
        self.key = parse_key(self.manifest["verifier_key"])
        self.start, self.end, self.size = (self.manifest[name] for name in ("start", "end", "size"))
        self.is_range = self.manifest["kind"] == "range"
        if self.manifest["format"] != FORMAT or not (self.is_range or self.manifest["kind"] == "selection"):
            raise EvidenceError(f"manifest.json is not of the format {FORMAT}.")
        if self.key.name != self.manifest["origin"] or not self.key.name.endswith("/" + self.manifest["log"]):
            raise EvidenceError("The verifier key, the origin and the log in manifest.json do not belong together.")
        if not self.start < self.end <= self.size:
            raise EvidenceError("manifest.json does not give a range of entries within the log.")

    def open_file(self, name: str) -> BinaryIO:
        path = self.folder / name
        if path.is_symlink() or not path.is_file():
            raise EvidenceError(f"{name} is missing, or is not an ordinary file.")
        return path.open("rb")

    def read_lines(self, name: str) -> Iterator[bytes]:
        with self.open_file(name) as file:
            for line in iter(partial(file.readline, MAX_LINE), b""):
                if not line.endswith(b"\n"):
                    raise EvidenceError(f"A line of {name} is cut off or too long.")
                yield line

    def recorded_hashes(self) -> Iterator[bytes]:
        with self.open_file("leaf-hashes.bin") as file:
            yield from iter(partial(file.read, 32), b"")

    def changed_files(self) -> list[str]:
        """Files that differ from the manifest. Reported last, because naming the changed entry says more."""
        files = self.manifest["files"]
        needed = ["entries.ndjson", "checkpoints.txt", "consistency.ndjson", *["leaf-hashes.bin"] * self.is_range]
        if any(name not in files for name in needed) or not all(FILE_NAME.fullmatch(name) for name in files):
            raise EvidenceError(
                "manifest.json does not list the files that a bundle has, under names that are allowed."
            )
        return [name for name, facts in sorted(files.items()) if facts != {"sha256": self._file_sha256(name)}]

    def _file_sha256(self, name: str) -> str:
        digest = hashlib.sha256()
        with self.open_file(name) as file:
            for block in iter(partial(file.read, 1 << 20), b""):
                digest.update(block)
        return digest.hexdigest()

    def check_checkpoints(self) -> list[TreeHead]:
        """Verify every signature, then that each checkpoint extends the one before it.

        Entries are checked against the last.
        """
        heads: list[TreeHead] = []
        with self.open_file("checkpoints.txt") as file:
            notes = split_checkpoint_notes(file.read(MAX_FILE).decode("utf-8"))
        for number, note in enumerate(notes, 1):
            heads.append(open_signed_checkpoint(note, self.key, f"Checkpoint {number}"))
        proofs = self.read_lines("consistency.ndjson")
        for first, second in pairwise(heads):
            if first.size and not self._check_extends(first, second, next(proofs, b"{}")):
                raise EvidenceError(
                    f"The checkpoint of {second.size} entries is not shown to extend the one of {first.size}: "
                    "entries were removed or rewritten in between, or the proof was changed."
                )
        if next(proofs, None) is not None or heads[-1].size != self.size:
            raise EvidenceError("The checkpoints and their proofs are not those that manifest.json describes.")
        self.proved.append(f"Checkpoints: {len(heads)}, each with a valid signature of the log's key.")
        self.proved.append(f"Each extends the one before it; the last covers the log's first {self.size} entries.")
        return heads

    @staticmethod
    def _check_extends(first: TreeHead, second: TreeHead, line: bytes) -> bool:
        proof = parse_json_object(line, "A line of consistency.ndjson", first=int, second=int, proof=list)
        hashes = parse_hashes(proof["proof"], "A consistency proof")
        return (proof["first"], proof["second"]) == (first.size, second.size) and is_consistent(first, second, hashes)

    def check_known_checkpoint(self, seen: Path, heads: list[TreeHead]) -> TreeHead | None:
        """Check a checkpoint that the reader kept: the log must still contain it.

        None if this folder cannot show that.
        """
        kept = open_signed_checkpoint(seen.read_text("utf-8"), self.key, "The checkpoint you kept")
        if kept not in heads and kept.size in dict(heads):
            raise EvidenceError(f"This log does not lead to the checkpoint you kept, of {kept.size} entries.")
        if kept.size and kept not in heads and not (self.is_range and self.start < kept.size <= self.end):
            self.not_shown = (
                f"This evidence does not reach the checkpoint you kept, of {kept.size} entries, and cannot show "
                f"whether the log leads to it. Take a stretch that has entry {kept.size - 1} in it."
            )
            return None
        self.proved.append(f"The checkpoint you kept, of {kept.size} entries, belongs to this same log.")
        return kept

    def find_doubtful_range(self, heads: list[TreeHead], last: TreeHead) -> tuple[int, int] | None:
        """Compare the recorded hashes with every checkpoint they reach.

        Returns the range in which they stop matching.
        """
        proof = self.manifest.get("range_proof")
        sides = proof if type(proof) is dict else {}
        right = parse_hashes(sides.get("right"), "The right side of the range proof")
        edge = TreeEdge(self.start, parse_hashes(sides.get("left"), "The left side of the range proof"))
        roots, sure = dict(heads), self.start
        for leaf in self.recorded_hashes():
            edge.append(leaf)
            if edge.size in roots and edge.root_within(edge.size, []) != roots[edge.size]:
                return sure, edge.size
            sure = edge.size if edge.size in roots else sure
        if edge.size != self.end:
            raise EvidenceError("leaf-hashes.bin does not hold one hash for each entry of the range.")
        return None if edge.root_within(self.size, right) == last.root else (sure, self.end)

    def check_entries(self, last: TreeHead) -> Counter[str]:
        """Check that every entry is at its index with the content that was recorded. Counts the kinds."""
        kinds: Counter[str] = Counter()
        expected = self.start
        for number, line in enumerate(self.read_lines("entries.ndjson"), 1):
            entry = parse_json_object(line, f"Line {number} of entries.ndjson", index=int, leaf_hash=str, header=str)
            index = entry["index"]
            if not expected <= index < self.end or (self.is_range and index != expected):
                raise EvidenceError(f"Line {number} of entries.ndjson holds entry {index}; entry {expected} is due.")
            self._check_entry(entry, last)
            facts = header_facts(entry, self.manifest["log"])
            kind = facts["kind"]
            kinds[kind] += 1
            if self.is_range:
                self.feeds.add_entry(facts, entry.get("body"))
            if kind == APPROVAL_KIND:
                body = parse_json_object(str(entry.get("body")).encode(), f"The body of entry {index}", pack_sha256=str)
                self.approved[body["pack_sha256"]] = describe_entry(entry)
            expected = index + 1
        if sum(kinds.values()) != self.manifest["count"] or expected != self.end:
            raise EvidenceError(f"entries.ndjson ends too early: entry {expected} is missing.")
        return kinds

    def _check_entry(self, entry: dict[str, Any], last: TreeHead) -> None:
        leaf = entry_hash(entry, set() if self.is_range else {"inclusion"})
        if self.is_range:
            if leaf != next(self.recorded, b""):
                raise EvidenceError(
                    f"{describe_entry(entry)} does not fit: its content does not give its recorded hash."
                )
        else:
            self._check_included(entry, leaf, last)
        if leaf.hex() != entry["leaf_hash"]:
            raise EvidenceError(f"{describe_entry(entry)} does not fit: the hash written beside it is not its own.")

    def _check_included(self, entry: dict[str, Any], leaf: bytes, last: TreeHead) -> None:
        hashes = parse_hashes(entry.get("inclusion"), f"The inclusion proof of entry {entry['index']}")
        if root_from_inclusion_proof(leaf, entry["index"], self.size, hashes) != last.root:
            raise EvidenceError(f"{describe_entry(entry)} does not fit: its proof does not lead to the signed root.")

    def check_completeness(self, last: TreeHead) -> None:
        """Check that the completeness statement follows from these entries,
        and that the related ones are in the log.
        """
        if "completeness.json" not in self.manifest["files"]:
            return
        for number, line in enumerate(self.read_lines("beside.ndjson"), 1):
            entry = parse_json_object(line, f"Line {number} of beside.ndjson", index=int, leaf_hash=str, header=str)
            if self.start <= entry["index"] < self.end:
                raise EvidenceError(f"Line {number} of beside.ndjson is about an entry that is not beside the range.")
            self._check_included(entry, entry_hash(entry, {"inclusion"}), last)
            self.feeds.add_entry(header_facts(entry, self.manifest["log"]), entry.get("body"), is_related=True)
        with self.open_file("completeness.json") as file:
            stated = parse_json_object(file.read(MAX_FILE), "completeness.json", feeds=list)
        computed = self.feeds.as_statement()
        if stated != {"feeds": computed}:
            raise EvidenceError("completeness.json says other things of the controllers' numbers than the entries do.")
        self.proved.append(f"Completeness, as these entries show it, of {len(computed)} feeds:")
        self.proved += [f"  {describe_feed(feed)}" for feed in computed[:MAX_PRINTED_FEEDS]]
        if len(computed) > MAX_PRINTED_FEEDS:
            self.proved.append(f"  and {len(computed) - MAX_PRINTED_FEEDS} more, in completeness.json.")

    def check_all(self, seen: Path | None) -> None:
        changed = self.changed_files()
        heads = self.check_checkpoints()
        kept = self.check_known_checkpoint(seen, heads) if seen else None
        doubt = self.find_doubtful_range([*heads, *([kept] if kept else [])], heads[-1]) if self.is_range else None
        kinds = self.check_entries(heads[-1])
        if doubt:
            raise EvidenceError(
                f"Entries {doubt[0]} to {doubt[1] - 1} do not lead to the root the log signed: one of them was changed "
                "together with its recorded hash, or the range proof was."
            )
        if changed:
            raise EvidenceError(f"{changed[0]} was changed: it is not the file that manifest.json describes.")
        count = self.manifest["count"]
        self.proved.append(
            f"Entries {self.start} to {self.end - 1} ({count}) are exactly what the log holds at these places: "
            "none is missing, added, altered or moved."
            if self.is_range
            else f"Each of the {count} selected entries is in the log, unaltered, at the place it names."
        )
        self.proved.append("They are: " + ", ".join(f"{many} {kind}" for kind, many in sorted(kinds.items())) + ".")
        self.check_completeness(heads[-1])
        self.check_rule_packs()

    def check_rule_packs(self) -> None:
        """Check that the rule packs which these entries approved are included, byte for byte."""
        packs = [facts["sha256"] for name, facts in self.manifest["files"].items() if name.startswith("packs/")]
        if not packs:
            return
        for digest, entry in self.approved.items():
            if digest not in packs:
                raise EvidenceError(f"{entry} approved a rule pack that is not in packs/: it was changed or left out.")
        self.proved.append(f"Rule packs: {len(packs)}, each the file that the manifest describes.")
        if self.approved:
            self.proved.append(f"Of these, {len(self.approved)} have the very bytes that entries here approved.")


def verify(folder: Path, key: str | None, seen: Path | None) -> bool:
    bundle = None
    try:
        bundle = Bundle(folder)
        claim = bundle.manifest
        print_safely(f"Evidence of {claim['casino']}, log {claim['origin']}, exported {claim['exported_at']}.")
        if key is not None and key.strip() != claim["verifier_key"]:
            raise EvidenceError("The bundle was not signed with the key you gave.")
        bundle.check_all(seen)
    except EvidenceError as error:
        problem = str(error)
    except Exception as error:  # whatever the folder contains, the reader gets a sentence
        problem = f"The folder cannot be read as evidence ({type(error).__name__})."
    else:
        problem = ""
    for sentence in bundle.proved if bundle else []:
        print_safely(f"  proved: {sentence}")
    if problem:
        print_safely(f"  DOES NOT FIT: {problem}")
        print_safely("Result: this evidence must not be relied on.")
        return False
    if bundle and bundle.not_shown:
        print_safely(f"  NOT SHOWN: {bundle.not_shown}")
        print_safely("Result: the entries fit, but do not rely on them before that is shown.")
        return False
    if key is None:
        print_safely(f"  to do: compare this key with the one the log publishes: {claim['verifier_key']}")
    print_safely("Result: everything fits.")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a folder of evidence offline.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", help="the log's verifier key, from a source you trust")
    parser.add_argument("--seen", type=Path, help="a checkpoint of this log that you kept from earlier")
    given = parser.parse_args()
    return 0 if verify(given.folder, given.key, given.seen) else 1


if __name__ == "__main__":
    sys.exit(main())
