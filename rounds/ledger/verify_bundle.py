#!/usr/bin/env python3
"""Check a folder of evidence offline: python3 -I verify_bundle.py FOLDER [--key KEY] [--seen CHECKPOINT]

One file, standard library only (Python 3.10 or newer). README.txt in the folder describes every file it reads.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import json
import re
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

FORMAT = "fairthrow-evidence/1"
MAX_LINE = 8 * 1024 * 1024
MAX_FILE = 64 * 1024 * 1024
MAX_SIZE = 2**63 - 1
APPROVAL = "rule-version-approved"
FILE_NAME = re.compile(r"(packs/)?[A-Za-z0-9][A-Za-z0-9@._-]{0,150}")


class EvidenceError(Exception):
    """Something in the folder is not what it should be; the text says what, in words."""


# ---------------------------------------------------------------- Ed25519 (RFC 8032), verification only

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]


def _recover(encoded: bytes) -> Point:
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if len(encoded) != 32 or y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("not a point of the curve")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _double(p: Point) -> Point:
    a, b = p[0] * p[0] % P, p[1] * p[1] % P
    h = a + b
    e, g = h - (p[0] + p[1]) * (p[0] + p[1]), a - b
    f = 2 * p[2] * p[2] + g
    return e * f % P, g * h % P, f * g % P, e * h % P


BASE = _recover((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def ed25519_accepts(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether s*B - k*A encodes to exactly the R of the signature."""
    try:
        x, y, _, xy = _recover(public_key)
    except ValueError:
        return False
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    minus_a: Point = (P - x, y, 1, P - xy)
    table: list[Point] = [(0, 1, 1, 0), BASE, minus_a, _add(BASE, minus_a)]
    total = table[0]
    for bit in range(252, -1, -1):
        total = _double(total)
        choice = (s >> bit & 1) | (k >> bit & 1) << 1
        if choice:
            total = _add(total, table[choice])
    inverse = pow(total[2], P - 2, P)
    found_x, found_y = total[0] * inverse % P, total[1] * inverse % P
    return (found_y | (found_x & 1) << 255).to_bytes(32, "little") == signature[:32]


# ---------------------------------------------------------------- the RFC 6962 tree


class TreeHead(NamedTuple):
    size: int
    root: bytes


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def split_of(size: int) -> int:
    return 1 << ((size - 1).bit_length() - 1)


class Edge:
    """The complete subtrees at the right edge of the first ``size`` entries."""

    def __init__(self, size: int, hashes: list[bytes]) -> None:
        if len(hashes) != size.bit_count():
            raise EvidenceError(f"The range proof must have {size.bit_count()} hashes left of entry {size}.")
        self.size, self.hashes = size, list(hashes)

    def append(self, leaf: bytes) -> None:
        size = self.size
        while size & 1:
            leaf = node_hash(self.hashes.pop(), leaf)
            size >>= 1
        self.hashes.append(leaf)
        self.size += 1

    def root_within(self, size: int, right: list[bytes]) -> bytes | None:
        """Root of the tree of that size, or None if the hashes to the right are too few or too many."""
        ours, theirs = iter(self.hashes), iter(right)

        def fold(start: int, end: int) -> bytes:
            if start >= self.size:
                return next(theirs)
            if end <= self.size and (end - start) & (end - start - 1) == 0:
                return next(ours)
            middle = start + split_of(end - start)
            left = fold(start, middle)
            return node_hash(left, fold(middle, end))

        try:
            root = fold(0, size)
        except StopIteration:
            return None
        return root if next(theirs, None) is None else None


def root_by_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes | None:
    """RFC 9162, 2.1.3.2: the root the proof leads to, or None if it is not of the length this place needs."""
    place, last, root = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return None
        if place & 1 or place == last:
            root = node_hash(sibling, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        place, last = place >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(first: TreeHead, second: TreeHead, proof: list[bytes]) -> bool:
    """RFC 9162, 2.1.4.2: whether the second tree starts with the first."""
    if not 0 < first.size <= second.size:
        return False
    if first.size == second.size:
        return not proof and first.root == second.root
    path = list(proof) if first.size & (first.size - 1) else [first.root, *proof]
    place, last = first.size - 1, second.size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    if not path:
        return False
    early = late = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            early, late = node_hash(sibling, early), node_hash(sibling, late)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            late = node_hash(late, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and early == first.root and late == second.root


# ---------------------------------------------------------------- keys and checkpoints (C2SP signed-note)


def from_base64(text: object, what: str, length: int | None = None) -> bytes:
    try:
        encoded = text.encode("ascii") if isinstance(text, str) else b"!"
        raw = base64.b64decode(encoded, validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise EvidenceError(f"{what} is not base64.") from None
    if base64.b64encode(raw) != encoded or (length is not None and len(raw) != length):
        raise EvidenceError(f"{what} is not canonical base64 of the right length.")
    return raw


class Key(NamedTuple):
    name: str
    key_id: bytes
    public_key: bytes


def read_key(text: str) -> Key:
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    raw = from_base64(encoded, "The verifier key", 33)
    own_id = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if not name or raw[:1] != b"\x01" or own_id.hex() != key_id:
        raise EvidenceError("The verifier key is not a whole Ed25519 key with its name and id.")
    return Key(name, own_id, raw[1:])


def read_checkpoint(note: str, key: Key, what: str) -> TreeHead:
    """The signed tree in a note. Signatures of keys we do not know are passed over."""
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    accepted = 0
    for line in signatures[:-1].split("\n"):
        name, _, encoded = line[2:].partition(" ")
        raw = from_base64(encoded, f"A signature of {what}")
        if not line.startswith("\u2014 ") or not signatures.endswith("\n"):
            raise EvidenceError(f"{what} does not fit: it has lines that do not belong there.")
        if (name, raw[:4]) == (key.name, key.key_id):
            if not ed25519_accepts(key.public_key, text.encode(), raw[4:]):
                raise EvidenceError(f"{what} does not fit: the log's key did not sign this text.")
            accepted += 1
    origin, size, root, *rest = (text + "\n\n").split("\n")[: max(text.count("\n"), 3)]
    if accepted != 1 or origin != key.name or not re.fullmatch("0|[1-9][0-9]{0,18}", size) or not all([root, *rest]):
        raise EvidenceError(f"{what} does not fit: it is not a checkpoint of this log signed by its key.")
    head = TreeHead(int(size), from_base64(root, f"The root of {what}", 32))
    if head.size == 0 and head.root != hashlib.sha256(b"").digest():
        raise EvidenceError(f"{what} does not fit: an empty log has another root.")
    return head


def split_checkpoints(text: str) -> Iterator[str]:
    """Notes one after the other, a blank line between them; a checkpoint has one blank line of its own."""
    parts = text.rstrip("\n").split("\n\n")
    if len(parts) % 2 or not text.endswith("\n"):
        raise EvidenceError("checkpoints.txt is not a series of signed checkpoints.")
    for position in range(0, len(parts), 2):
        yield f"{parts[position]}\n\n{parts[position + 1]}\n"


# ---------------------------------------------------------------- the numbers that controllers give their lines

SILENT, RETURNED, QUARANTINED = "feed-silent", "feed-returned", "feed-quarantined"
MOST_FEEDS_TOLD = 100
Run = tuple[int, int]


class Feed:
    """One controller's numbers for one table: which there are, which were set aside, and when it was not heard of."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.beside: list[Run] = []
        self.set_aside: set[int] = set()
        self.silences: dict[str, str | None] = {}

    def hear(self, kind: str, said: dict[str, Any]) -> None:
        if kind == SILENT:
            self.silences.setdefault(str(said.get("last_seen_at")), None)
        elif kind == RETURNED:
            self.silences[str(said.get("silent_since"))] = str(said.get("seen_at"))
        elif isinstance(said.get("sequence"), int):
            self.set_aside.add(said["sequence"])

    def follows(self) -> int:
        """The highest number below those here that the log is shown to have; 0 before the first of all."""
        lowest = self.runs[0][0] if self.runs else 0
        return max((last for _, last in self.beside if last < lowest), default=0)

    def missing(self) -> list[Run]:
        """Numbers up to the last one here that neither these entries nor those beside them have."""
        if not self.runs:
            return []
        there: list[Run] = []
        for first, last in sorted([*self.runs, *self.beside, *((one, one) for one in self.set_aside)]):
            there = with_run(there, first, last)
        due, found = self.follows() + 1, []
        for first, last in there:
            if due < first <= self.runs[-1][1]:
                found.append((due, first - 1))
            due = max(due, last + 1)
        return found

    def statement(self) -> dict[str, Any]:
        return {
            "first": self.runs[0][0] if self.runs else None,
            "last": self.runs[-1][1] if self.runs else None,
            "count": sum(last - first + 1 for first, last in self.runs),
            "follows": self.follows(),
            "elsewhere": [[first, last] for first, last in self.beside if self.runs and first > self.runs[0][0]],
            "missing": [[first, last] for first, last in self.missing()],
            "set_aside": sorted(self.set_aside),
            "silent": [[since, self.silences[since]] for since in sorted(self.silences)],
        }


def with_run(runs: list[Run], first: int, last: int) -> list[Run]:
    """The runs and one more, joined to those it touches. Mostly it comes after them all."""
    place = bisect_left(runs, (first, last)) if runs and runs[-1][1] >= first else len(runs)
    begin = place - 1 if place and runs[place - 1][1] >= first - 1 else place
    end = place
    while end < len(runs) and runs[end][0] <= last + 1:
        end += 1
    touched = runs[begin:end]
    runs[begin:end] = [(min([first, *(run[0] for run in touched)]), max([last, *(run[1] for run in touched)]))]
    return runs


class Feeds:
    """What entries say of each controller's numbers, table by table."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], Feed] = {}

    def of(self, table: str, controller: str) -> Feed:
        return self.known.setdefault((table, controller), Feed())

    def add(self, facts: dict[str, Any], body: object, *, is_beside: bool = False) -> None:
        """`facts` are those of the entry's header. One beside the range only shows that its number is there."""
        kind, table = str(facts["kind"]), str(facts.get("table") or "")
        if kind in (SILENT, RETURNED, QUARANTINED):
            said = read_json(str(body).encode(), f"The body of a {kind} entry")
            self.of(str(said.get("table") or ""), str(said.get("controller") or "")).hear(kind, said)
        elif isinstance(facts.get("sequence"), int):
            feed, number = self.of(table, str(facts.get("controller") or "")), facts["sequence"]
            with_run(feed.beside if is_beside else feed.runs, number, number)

    def statement(self) -> list[dict[str, Any]]:
        return [
            {"table": table, "controller": controller, **feed.statement()}
            for (table, controller), feed in sorted(self.known.items())
        ]


def runs_in_words(runs: list[list[int]]) -> str:
    shown = [str(first) if first == last else f"{first} to {last}" for first, last in runs[:20]]
    return ", ".join(shown) + (f" and {len(runs) - 20} more stretches" if len(runs) > 20 else "")


def feed_in_words(feed: dict[str, Any]) -> str:
    """One sentence for a feed's part of the statement."""
    who = f"Table {feed['table']}, controller {feed['controller']}"
    missing = sum(last - first + 1 for first, last in feed["missing"])
    if not feed["count"]:
        said = "no numbered line"
    elif missing:
        said = f"numbers {feed['first']} to {feed['last']}, MISSING {missing}: {runs_in_words(feed['missing'])}"
    else:
        said = f"numbers {feed['first']} to {feed['last']}, none missing"
        said += f", and they follow number {feed['follows']}" if feed["follows"] else ""
    aside = f"; {len(feed['set_aside'])} set aside in quarantine" if feed["set_aside"] else ""
    quiet = "; ".join(f"{since} to {until or 'the end'}" for since, until in feed["silent"][:20])
    return f"{who}: {said}{aside}; " + (f"silent {len(feed['silent'])} times: {quiet}." if quiet else "never silent.")


# ---------------------------------------------------------------- the folder


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a member is given twice")
    return dict(pairs)


def read_json(raw: bytes, what: str, **types: type) -> dict[str, Any]:
    """A JSON object whose named members have the given types."""
    try:
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise EvidenceError(f"{what} is not one clean JSON object.") from None
    for name, kind in types.items():
        is_right = isinstance(found, dict) and type(found.get(name)) is kind
        if not is_right or (kind is int and not 0 <= found[name] <= MAX_SIZE):
            raise EvidenceError(f"{what} has no proper {name!r}.")
    return dict(found)


def read_hashes(values: Any, what: str) -> list[bytes]:
    if type(values) is not list or len(values) > 200:
        raise EvidenceError(f"{what} is not a list of hashes.")
    return [from_base64(value, what, 32) for value in values]


def entry_hash(entry: dict[str, Any], proof: set[str]) -> bytes:
    """The leaf: the header as stored, a newline, the body byte for byte."""
    what = f"Entry {entry['index']}"
    body = {"body", "body_base64"} & set(entry)
    if len(body) != 1 or set(entry) != {"index", "leaf_hash", "header"} | body | proof or "\n" in entry["header"]:
        raise EvidenceError(f"{what} does not fit: its line has not the parts that an entry has.")
    if "body_base64" in entry:
        raw = from_base64(entry["body_base64"], f"The body of {what}")
    else:
        raw = str(entry["body"]).encode()
    return leaf_hash(entry["header"].encode() + b"\n" + raw)


def facts_of(entry: dict[str, Any], log: str) -> dict[str, Any]:
    facts = read_json(entry["header"].encode(), f"The header of entry {entry['index']}", kind=str, log=str)
    if facts["log"] != log:
        raise EvidenceError(f"{describe(entry)} does not fit: it names another log.")
    return facts


def describe(entry: dict[str, Any]) -> str:
    try:
        facts = json.loads(entry["header"])
        said = [f"{name.replace('_', ' ')} {facts[name]}" for name in ("kind", "table", "recorded_at") if facts[name]]
        return f"Entry {entry['index']} ({', '.join(said)})"
    except (ValueError, LookupError, TypeError, RecursionError):
        return f"Entry {entry['index']}"


class Bundle:
    """A folder of evidence, checked step by step; the first step that does not fit raises."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.proved: list[str] = []
        self.recorded = self.recorded_hashes()
        self.approved: dict[str, str] = {}
        self.feeds = Feeds()
        with self.open("manifest.json") as file:
            raw = file.read(MAX_FILE)
        types = dict.fromkeys(("format", "kind", "casino", "log", "origin", "verifier_key", "exported_at"), str)
        self.manifest = read_json(raw, "manifest.json", start=int, end=int, count=int, size=int, files=dict, **types)
        self.key = read_key(self.manifest["verifier_key"])
        self.start, self.end, self.size = (self.manifest[name] for name in ("start", "end", "size"))
        self.is_range = self.manifest["kind"] == "range"
        if self.manifest["format"] != FORMAT or not (self.is_range or self.manifest["kind"] == "selection"):
            raise EvidenceError(f"manifest.json is not of the format {FORMAT}.")
        if self.key.name != self.manifest["origin"] or not self.key.name.endswith("/" + self.manifest["log"]):
            raise EvidenceError("The verifier key, the origin and the log in manifest.json do not belong together.")
        if not self.start < self.end <= self.size:
            raise EvidenceError("manifest.json does not give a range of entries within the log.")

    def open(self, name: str) -> BinaryIO:
        path = self.folder / name
        if path.is_symlink() or not path.is_file():
            raise EvidenceError(f"{name} is missing, or is not an ordinary file.")
        return path.open("rb")

    def lines(self, name: str) -> Iterator[bytes]:
        with self.open(name) as file:
            for line in iter(partial(file.readline, MAX_LINE), b""):
                if not line.endswith(b"\n"):
                    raise EvidenceError(f"A line of {name} is cut off or too long.")
                yield line

    def recorded_hashes(self) -> Iterator[bytes]:
        with self.open("leaf-hashes.bin") as file:
            yield from iter(partial(file.read, 32), b"")

    def changed_files(self) -> list[str]:
        """Files that are not what the manifest says. Reported last: the entry that was changed says more."""
        files = self.manifest["files"]
        needed = ["entries.ndjson", "checkpoints.txt", "consistency.ndjson", *["leaf-hashes.bin"] * self.is_range]
        if any(name not in files for name in needed) or not all(FILE_NAME.fullmatch(name) for name in files):
            raise EvidenceError(
                "manifest.json does not list the files that a bundle has, under names that are allowed."
            )
        return [name for name, facts in sorted(files.items()) if facts != {"sha256": self._digest(name)}]

    def _digest(self, name: str) -> str:
        digest = hashlib.sha256()
        with self.open(name) as file:
            for block in iter(partial(file.read, 1 << 20), b""):
                digest.update(block)
        return digest.hexdigest()

    def check_checkpoints(self) -> list[TreeHead]:
        """Every signature, then each checkpoint against the one before it. Entries are held to the last one."""
        heads: list[TreeHead] = []
        with self.open("checkpoints.txt") as file:
            notes = split_checkpoints(file.read(MAX_FILE).decode("utf-8"))
        for number, note in enumerate(notes, 1):
            heads.append(read_checkpoint(note, self.key, f"Checkpoint {number}"))
        proofs = self.lines("consistency.ndjson")
        for first, second in pairwise(heads):
            if first.size and not self._extends(first, second, next(proofs, b"{}")):
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
    def _extends(first: TreeHead, second: TreeHead, line: bytes) -> bool:
        proof = read_json(line, "A line of consistency.ndjson", first=int, second=int, proof=list)
        hashes = read_hashes(proof["proof"], "A consistency proof")
        return (proof["first"], proof["second"]) == (first.size, second.size) and is_consistent(first, second, hashes)

    def check_seen(self, seen: Path, heads: list[TreeHead]) -> TreeHead:
        """A checkpoint the reader kept from earlier, which the log must still lead to."""
        kept = read_checkpoint(seen.read_text("utf-8"), self.key, "The checkpoint you kept")
        is_in_range = self.is_range and self.start < kept.size <= self.end
        if kept not in heads and (not is_in_range or kept.size in dict(heads)):
            raise EvidenceError(f"This log does not lead to the checkpoint you kept, of {kept.size} entries.")
        self.proved.append(f"The checkpoint you kept, of {kept.size} entries, belongs to this same log.")
        return kept

    def doubtful(self, heads: list[TreeHead], last: TreeHead) -> tuple[int, int] | None:
        """Hold the recorded hashes to every checkpoint they reach; the entries between which they stop fitting."""
        proof = self.manifest.get("range_proof")
        sides = proof if type(proof) is dict else {}
        right = read_hashes(sides.get("right"), "The right side of the range proof")
        edge = Edge(self.start, read_hashes(sides.get("left"), "The left side of the range proof"))
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
        """Every entry at its place, with the content that belongs there."""
        kinds: Counter[str] = Counter()
        place = self.start
        for number, line in enumerate(self.lines("entries.ndjson"), 1):
            entry = read_json(line, f"Line {number} of entries.ndjson", index=int, leaf_hash=str, header=str)
            index = entry["index"]
            if not place <= index < self.end or (self.is_range and index != place):
                raise EvidenceError(f"Line {number} of entries.ndjson holds entry {index}; entry {place} is due.")
            self._check_entry(entry, last)
            facts = facts_of(entry, self.manifest["log"])
            kind = facts["kind"]
            kinds[kind] += 1
            if self.is_range:
                self.feeds.add(facts, entry.get("body"))
            if kind == APPROVAL:
                body = read_json(str(entry.get("body")).encode(), f"The body of entry {index}", pack_sha256=str)
                self.approved[body["pack_sha256"]] = describe(entry)
            place = index + 1
        if sum(kinds.values()) != self.manifest["count"] or place != self.end:
            raise EvidenceError(f"entries.ndjson ends too early: entry {place} is missing.")
        return kinds

    def _check_entry(self, entry: dict[str, Any], last: TreeHead) -> None:
        leaf = entry_hash(entry, set() if self.is_range else {"inclusion"})
        if self.is_range:
            if leaf != next(self.recorded, b""):
                raise EvidenceError(f"{describe(entry)} does not fit: its content does not give its recorded hash.")
        else:
            self._check_included(entry, leaf, last)
        if leaf.hex() != entry["leaf_hash"]:
            raise EvidenceError(f"{describe(entry)} does not fit: the hash written beside it is not its own.")

    def _check_included(self, entry: dict[str, Any], leaf: bytes, last: TreeHead) -> None:
        hashes = read_hashes(entry.get("inclusion"), f"The inclusion proof of entry {entry['index']}")
        if root_by_inclusion(leaf, entry["index"], self.size, hashes) != last.root:
            raise EvidenceError(f"{describe(entry)} does not fit: its proof does not lead to the signed root.")

    def check_completeness(self, last: TreeHead) -> None:
        """That the statement is what these entries say, and each one beside them is in the log where it says."""
        if "completeness.json" not in self.manifest["files"]:
            return
        for number, line in enumerate(self.lines("beside.ndjson"), 1):
            entry = read_json(line, f"Line {number} of beside.ndjson", index=int, leaf_hash=str, header=str)
            if self.start <= entry["index"] < self.end:
                raise EvidenceError(f"Line {number} of beside.ndjson is about an entry that is not beside the range.")
            self._check_included(entry, entry_hash(entry, {"inclusion"}), last)
            self.feeds.add(facts_of(entry, self.manifest["log"]), entry.get("body"), is_beside=True)
        with self.open("completeness.json") as file:
            stated = read_json(file.read(MAX_FILE), "completeness.json", feeds=list)
        found = self.feeds.statement()
        if stated != {"feeds": found}:
            raise EvidenceError("completeness.json says other things of the controllers' numbers than the entries do.")
        self.proved.append(f"Completeness, as these entries show it, of {len(found)} feeds:")
        self.proved += [f"  {feed_in_words(feed)}" for feed in found[:MOST_FEEDS_TOLD]]
        if len(found) > MOST_FEEDS_TOLD:
            self.proved.append(f"  and {len(found) - MOST_FEEDS_TOLD} more, in completeness.json.")

    def check(self, seen: Path | None) -> None:
        changed = self.changed_files()
        heads = self.check_checkpoints()
        kept = [self.check_seen(seen, heads)] if seen else []
        doubt = self.doubtful(heads + kept, heads[-1]) if self.is_range else None
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
        self.check_packs()

    def check_packs(self) -> None:
        """Where packs are given, those that these entries approved are among them, byte for byte."""
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
        say(f"Evidence of {claim['casino']}, log {claim['origin']}, exported {claim['exported_at']}.")
        if key is not None and key.strip() != claim["verifier_key"]:
            raise EvidenceError("The bundle was not signed with the key you gave.")
        bundle.check(seen)
    except EvidenceError as error:
        problem = str(error)
    except Exception as error:  # whatever is in the folder, the reader gets words
        problem = f"The folder cannot be read as evidence ({type(error).__name__})."
    else:
        problem = ""
    for sentence in bundle.proved if bundle else []:
        say(f"  proved: {sentence}")
    if problem:
        say(f"  DOES NOT FIT: {problem}")
        say("Result: this evidence must not be relied on.")
        return False
    if key is None:
        say(f"  to do: compare this key with the one the log publishes: {claim['verifier_key']}")
    say("Result: everything fits.")
    return True


def say(sentence: str) -> None:
    """Print without ever failing on, or obeying, odd characters from the folder."""
    print(
        "".join(one if one.isprintable() else "?" for one in sentence[:2000])
        .encode("ascii", "backslashreplace")
        .decode()
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a folder of evidence offline.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", help="the log's verifier key, from a source you trust")
    parser.add_argument("--seen", type=Path, help="a checkpoint of this log that you kept from earlier")
    given = parser.parse_args()
    return 0 if verify(given.folder, given.key, given.seen) else 1


if __name__ == "__main__":
    sys.exit(main())
