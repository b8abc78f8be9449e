"""The proof of one entry as a text file (C2SP tlog-proof): index, inclusion proof, and the checkpoint verbatim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rounds.transparency_log.errors import NoteError
from rounds.transparency_log.formats.signed_note import (
    Checkpoint,
    VerifierKey,
    decode_base64,
    encode_base64,
    open_checkpoint,
    parse_decimal,
)
from rounds.transparency_log.tree.merkle import HASH_BYTES, verify_inclusion

FIRST_LINE = "c2sp.org/tlog-proof@v1"
SUFFIX = ".tlog-proof"
MAX_PROOF_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class TlogProof:
    """The proof of an entry's position in the log.

    ``extra`` is not covered by any signature: never trust it by itself.
    """

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: bytes
    extra: bytes = b""

    def to_bytes(self) -> bytes:
        lines = [FIRST_LINE]
        if self.extra:
            lines.append(f"extra {encode_base64(self.extra)}")
        lines.append(f"index {self.index}")
        lines.extend(encode_base64(one) for one in self.hashes)
        return "\n".join([*lines, "", ""]).encode() + self.checkpoint

    @classmethod
    def parse(cls, proof: bytes) -> TlogProof:
        head, separator, checkpoint = proof.partition(b"\n\n")
        if len(proof) > MAX_PROOF_BYTES or not separator or not head.isascii():
            raise NoteError("bad-proof-file", "A proof file is its lines, a blank line, and a checkpoint.")
        lines = head.decode("ascii").split("\n")
        if lines.pop(0) != FIRST_LINE:
            raise NoteError("bad-proof-file", f"The first line of a proof file must be {FIRST_LINE}.")
        extra = b""
        if lines and lines[0].startswith("extra "):
            extra = decode_base64(lines.pop(0).removeprefix("extra "), "extra line")
        if not lines or not lines[0].startswith("index "):
            raise NoteError("bad-proof-file", "A proof file must say which index it is about.")
        index = parse_decimal(lines.pop(0).removeprefix("index "), "index")
        return cls(index, _parse_hash_lines(lines), checkpoint, extra)

    def verify(self, leaf_hash: bytes, key: VerifierKey) -> Checkpoint:
        """Raises unless the log's key signed a tree that has this leaf at this index."""
        checkpoint = open_checkpoint(self.checkpoint, key)
        verify_inclusion(leaf_hash, self.index, checkpoint.head, self.hashes)
        return checkpoint


def _parse_hash_lines(lines: Sequence[str]) -> tuple[bytes, ...]:
    hashes = tuple(decode_base64(line, "proof hash") for line in lines)
    if any(len(one) != HASH_BYTES for one in hashes):
        raise NoteError("bad-proof-file", f"Every hash of a proof is {HASH_BYTES} bytes long.")
    return hashes
