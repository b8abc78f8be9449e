"""Proves one entry step by step from what is stored: leaf bytes, leaf hash, path to the root, signed checkpoint.

Only the log's public key is trusted. If a step fails, the steps before it show how far the proof got.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from rounds.ledger.entry import LogEntry
from rounds.ledger.models import Log, SignedCheckpoint
from rounds.ledger.readers.search import entry_at
from rounds.ledger.signing.checkpoints import LedgerKeyMissing, newest_checkpoint_note, verifier_key_for
from rounds.ledger.storage import get_log, inclusion_proof
from rounds.transparency_log.errors import EntryError, LedgerError, NoteError
from rounds.transparency_log.formats.leaf import leaf_bytes, make_header
from rounds.transparency_log.formats.signed_note import open_checkpoint, parse_unverified_head
from rounds.transparency_log.formats.tlog_proof import TlogProof
from rounds.transparency_log.tree.merkle import PathStep, TreeHead, inclusion_path, leaf_hash

NEWEST_CHECKPOINTS_SQL = """
SELECT log.slug, signed.note, signed.signed_at, signed.size, signed.root
FROM ledger_log log LEFT JOIN LATERAL (
    SELECT * FROM ledger_checkpoint WHERE log_id = log.id ORDER BY size DESC LIMIT 1
) signed ON true
ORDER BY log.slug
"""


@dataclass(frozen=True)
class ProofStep:
    """One check of the proof. `facts` are names with exact values. A failed step ends the proof.

    "Not known" means that the check could not be made, which is evidence neither for nor against the entry.
    """

    title: str
    fits: bool
    words: str
    facts: tuple[tuple[str, str], ...] = ()
    path: tuple[PathStep, ...] = ()
    is_known: bool = True


@dataclass(frozen=True)
class StoredCheckpoint:
    """The newest checkpoint as stored. `head` is parsed from its text, unverified."""

    note: bytes
    signed_at: datetime
    head: TreeHead


def newest_checkpoint(log: str) -> StoredCheckpoint | None:
    row = SignedCheckpoint.objects.filter(log=get_log(log)).order_by("-size").first()
    if row is None:
        return None
    return _parse_note(bytes(row.note), row.signed_at, row.size, bytes(row.root))


def newest_checkpoints() -> dict[str, StoredCheckpoint | None]:
    """Every log with its newest checkpoint, in one query for any number of logs and checkpoints."""
    with connection.cursor() as cursor:
        cursor.execute(NEWEST_CHECKPOINTS_SQL)
        rows = cursor.fetchall()
    return {slug: None if note is None else _parse_note(note, *rest) for slug, note, *rest in rows}


def _parse_note(note: bytes, signed_at: datetime, size: int, root: bytes) -> StoredCheckpoint:
    return StoredCheckpoint(note, signed_at, parse_unverified_head(note) or TreeHead(size, root))


def checkpoint_note_at(log: str, size: int) -> bytes | None:
    """The signed checkpoint of exactly that size."""
    note = SignedCheckpoint.objects.filter(log=get_log(log), size=size).values_list("note", flat=True).first()
    return None if note is None else bytes(note)


def first_signed_after(log: str, size: int) -> datetime | None:
    """When the first checkpoint larger than that size was signed; None if there is none yet."""
    later = SignedCheckpoint.objects.filter(log=get_log(log), size__gt=size).order_by("size")
    return later.values_list("signed_at", flat=True).first()


def leaf_bytes_of(entry: LogEntry) -> bytes:
    """The exact bytes that were hashed when the entry was recorded, rebuilt from its columns."""
    header = make_header(
        kind=entry.kind,
        log=entry.log,
        recorded_at=entry.recorded_at,
        table=entry.table,
        controller=entry.controller,
        sequence=entry.sequence,
    )
    return leaf_bytes(header, entry.body)


def make_proof_file(log: str, index: int) -> bytes | None:
    """The entry's `.tlog-proof` file against the newest checkpoint; None while no checkpoint covers it."""
    note = newest_checkpoint_note(log)
    head = parse_unverified_head(note) if note else None
    if note is None or head is None or index >= head.size:
        return None
    return TlogProof(index, tuple(inclusion_proof(get_log(log), index, head.size)), note).to_bytes()


def prove_entry(log: str, index: int) -> list[ProofStep]:
    """Check the entry against the newest checkpoint. The last step says whether it matches, or what does not."""
    return list(_EntryCheck(get_log(log), index).steps())


class _EntryCheck:
    """Collects the steps of one entry's proof."""

    def __init__(self, log: Log, index: int) -> None:
        self.log, self.index = log, index
        self.leaf = b""
        self.root = b""

    def steps(self) -> Iterator[ProofStep]:
        signed = newest_checkpoint(self.log.slug)
        if signed is None or self.index >= signed.head.size:
            yield ProofStep("Checkpoint", False, "No checkpoint covers this entry yet. One is signed every minute.")
            return
        for step in (self._check_leaf_hash, self._compute_root, self._compare_root, self._check_signature):
            done = step(signed)
            yield done
            if not done.fits:
                return

    def _check_leaf_hash(self, signed: StoredCheckpoint) -> ProofStep:
        title = "The stored bytes give the recorded hash"
        entry = entry_at(self.log.slug, self.index)
        if entry is None:
            return ProofStep(
                title, False, f"Entry {self.index} is missing: a checkpoint covers it, and it is not there."
            )
        try:
            leaf = leaf_bytes_of(entry)
        except EntryError:
            return ProofStep(title, False, "What is stored of this entry was never recorded by this service.")
        self.leaf = leaf_hash(leaf)
        facts = (
            ("Bytes hashed", f"{len(leaf):,}"),
            ("SHA-256 of a zero byte and these bytes", self.leaf.hex()),
            ("Hash recorded with the entry", entry.leaf_sha256.hex()),
        )
        if self.leaf != entry.leaf_sha256:
            return ProofStep(title, False, "They do not: the entry was changed after it was recorded.", facts)
        return ProofStep(title, True, "They do: not a byte of the entry differs from what was hashed then.", facts)

    def _compute_root(self, signed: StoredCheckpoint) -> ProofStep:
        title = "The hash leads up the tree to a root"
        try:
            proof = inclusion_proof(self.log, self.index, signed.head.size)
            path = inclusion_path(self.leaf, self.index, signed.head.size, proof)
        except LedgerError as error:
            return ProofStep(title, False, f"The stored tree has a gap, so there is no way up: {error.sentence}")
        self.root = path[-1].node if path else self.leaf
        words = f"{len(path)} hashes stand beside the way from entry {self.index} to the root."
        return ProofStep(title, True, words, (("Root computed", self.root.hex()),), tuple(path))

    def _compare_root(self, signed: StoredCheckpoint) -> ProofStep:
        title = "The root is the one in the checkpoint"
        facts = (
            ("Root computed", self.root.hex()),
            (f"Root signed, of {signed.head.size:,} entries", signed.head.root.hex()),
        )
        if self.root != signed.head.root:
            words = "It is not: this entry, or one that stands beside it, is not what it was when the log was signed."
            return ProofStep(title, False, words, facts)
        return ProofStep(title, True, "It is: the entry stands in the log at the place it names.", facts)

    def _check_signature(self, signed: StoredCheckpoint) -> ProofStep:
        title = "The checkpoint is signed by the log's key"
        try:
            key = verifier_key_for(self.log.slug)
        except LedgerKeyMissing as error:
            return ProofStep(title, False, f"That cannot be told now. {error.full_message}", is_known=False)
        facts = (("Key", key.name), ("Key id", key.key_id.hex()), ("Verifier key", str(key)))
        try:
            open_checkpoint(signed.note, key)
        except NoteError as error:
            return ProofStep(title, False, f"It is not: {error.sentence}", facts)
        return ProofStep(title, True, "It is: the signature belongs to exactly this size and root.", facts)
