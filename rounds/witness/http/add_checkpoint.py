"""Body of an add-checkpoint request, byte for byte as specified in C2SP tlog-witness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rounds.transparency_log import errors, formats, tree
from rounds.witness.errors import InvalidCheckpointRequest

MAX_HASHES = 63
# Enough for the longest proof and a note with the maximum number of signatures.
MAX_BODY_BYTES = 64 * 1024


class AddCheckpointRequest(NamedTuple):
    """A parsed request: the size to continue from, the consistency proof, and the signed checkpoint."""

    old_size: int
    proof: tuple[bytes, ...]
    note: bytes

    def to_bytes(self) -> bytes:
        lines = [f"old {self.old_size}", *(formats.encode_base64(one) for one in self.proof), "", ""]
        return "\n".join(lines).encode() + self.note

    @classmethod
    def parse(cls, body: bytes) -> AddCheckpointRequest:
        head, blank, note = body.partition(b"\n\n")
        if not blank or not head.isascii():
            raise InvalidCheckpointRequest(
                "bad-request", "A request is its old size, a proof, a blank line and a checkpoint."
            )
        first, *hashes = head.decode("ascii").split("\n")
        if not first.startswith("old ") or len(hashes) > MAX_HASHES:
            raise InvalidCheckpointRequest(
                "bad-request", f"The first line says old and a size; at most {MAX_HASHES} hashes follow."
            )
        try:
            return cls(formats.parse_decimal(first.removeprefix("old "), "old size"), parse_hashes(hashes), note)
        except errors.NoteError as error:
            raise InvalidCheckpointRequest("bad-request", error.sentence) from error


def parse_hashes(texts: Sequence[str]) -> tuple[bytes, ...]:
    hashes = tuple(formats.decode_base64(text, "proof hash") for text in texts)
    if any(len(one) != tree.HASH_BYTES for one in hashes):
        raise errors.NoteError("hash-length", f"Every hash of a proof is {tree.HASH_BYTES} bytes long.")
    return hashes
