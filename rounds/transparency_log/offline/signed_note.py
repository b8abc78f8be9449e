"""The log's key, and checkpoints signed with it (C2SP signed-note, tlog-checkpoint)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from rounds.transparency_log.offline.ed25519 import ed25519_accepts
from rounds.transparency_log.offline.messages import EvidenceError
from rounds.transparency_log.offline.strict_read import decode_base64
from rounds.transparency_log.offline.tree import TreeHead


class LogKey(NamedTuple):
    name: str
    key_id: bytes
    public_key: bytes


def parse_key(text: str) -> LogKey:
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    raw = decode_base64(encoded, "The verifier key", 33)
    own_id = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if not name or raw[:1] != b"\x01" or own_id.hex() != key_id:
        raise EvidenceError("The verifier key is not a whole Ed25519 key with its name and id.")
    return LogKey(name, own_id, raw[1:])


def open_signed_checkpoint(note: str, key: LogKey, what: str) -> TreeHead:
    """Verify the log's signature and return the signed tree head. Signatures of unknown keys are ignored."""
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    accepted = 0
    for line in signatures[:-1].split("\n"):
        name, _, encoded = line[2:].partition(" ")
        raw = decode_base64(encoded, f"A signature of {what}")
        if not line.startswith("\u2014 ") or not signatures.endswith("\n"):
            raise EvidenceError(f"{what} does not fit: it has lines that do not belong there.")
        if (name, raw[:4]) == (key.name, key.key_id):
            if not ed25519_accepts(key.public_key, text.encode(), raw[4:]):
                raise EvidenceError(f"{what} does not fit: the log's key did not sign this text.")
            accepted += 1
    origin, size, root, *rest = (text + "\n\n").split("\n")[: max(text.count("\n"), 3)]
    if accepted != 1 or origin != key.name or not re.fullmatch("0|[1-9][0-9]{0,18}", size) or not all([root, *rest]):
        raise EvidenceError(f"{what} does not fit: it is not a checkpoint of this log signed by its key.")
    head = TreeHead(int(size), decode_base64(root, f"The root of {what}", 32))
    if head.size == 0 and head.root != hashlib.sha256(b"").digest():
        raise EvidenceError(f"{what} does not fit: an empty log has another root.")
    return head


def split_checkpoint_notes(text: str) -> Iterator[str]:
    """Split a file of notes, which are separated by blank lines. Each checkpoint contains one blank line itself."""
    parts = text.rstrip("\n").split("\n\n")
    if len(parts) % 2 or not text.endswith("\n"):
        raise EvidenceError("checkpoints.txt is not a series of signed checkpoints.")
    for position in range(0, len(parts), 2):
        yield f"{parts[position]}\n\n{parts[position + 1]}\n"
