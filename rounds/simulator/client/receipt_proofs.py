"""Verifies receipts: the leaf is what was sent, it is in the log at the stated index, and the log signed that."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from rounds.simulator.client.batch_signature import leaf_hash, node_hash


class ProofFailed(Exception):
    """The service's proof is wrong. Keep the lines and call a person."""


class Head(NamedTuple):
    """Number of entries in the log and the Merkle root over them: what a checkpoint signs."""

    size: int
    root: bytes


def verify_receipts(answer: Mapping[str, Any], lines: Sequence[bytes], verifier: str) -> Head | None:
    """Raises ProofFailed unless every line has a receipt for the bytes sent. `verifier` is the log's public key,
    obtained beforehand.

    Returns the head of the answer's checkpoint. Without a checkpoint only the leaves can be checked: returns None."""
    receipts = {receipt["line"]: receipt for receipt in answer["receipts"]}
    head = open_checkpoint(answer["checkpoint"], verifier) if "checkpoint" in answer else None
    for number, line in enumerate(lines, 1):
        receipt = receipts.get(number)
        if receipt is None:
            raise ProofFailed(f"Line {number} has no receipt.")
        if "index" in receipt:
            leaf = verify_leaf(answer, receipt, line)
            if head is not None:
                verify_inclusion(
                    leaf, receipt["index"], head, [bytes.fromhex(one) for one in receipt["inclusion_proof"]]
                )
    return head


def verify_leaf(answer: Mapping[str, Any], receipt: Mapping[str, Any], line: bytes) -> bytes:
    """An entry's leaf is a header with the service's own fields, a newline, and the line byte for byte."""
    header = {
        "controller": answer["controller"],
        "kind": receipt["kind"],
        "log": answer["log"],
        "recorded_at": receipt["recorded_at"],
        "schema": answer["schema"],
        "sequence": receipt["sequence"],
        "table": receipt["table"],
    }
    content = json.loads(line)
    if (receipt["table"], receipt["sequence"]) != (content["table"], content["sequence"]):
        raise ProofFailed("The receipt is for another line.")
    leaf = leaf_hash(json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" + line)
    if leaf.hex() != receipt["leaf_sha256"]:
        raise ProofFailed(f"What was recorded is not what we sent as sequence {content['sequence']}.")
    return leaf


def verify_inclusion(leaf: bytes, index: int, head: Head, proof: Sequence[bytes]) -> None:
    """The algorithm of RFC 9162, section 2.1.3.2."""
    if not 0 <= index < head.size:
        raise ProofFailed("The checkpoint does not cover the entry.")
    place, last, root = index, head.size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise ProofFailed("The proof is too long.")
        if place & 1 or place == last:
            root = node_hash(sibling, root)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        place, last = place >> 1, last >> 1
    if last != 0 or root != head.root:
        raise ProofFailed("The proof does not lead to the root that was signed.")


def open_checkpoint(note: str, verifier: str) -> Head:
    """Verifies a C2SP checkpoint: origin, size and root, a blank line, then `— name base64(key id, signature)`."""
    name, _, rest = verifier.partition("+")
    public_key = b64decode(rest.partition("+")[2])[1:]
    key_id = sha256(name.encode() + b"\n\x01" + public_key).digest()[:4]
    text, _, signatures = note.rpartition("\n\n")
    origin, size, root = text.split("\n")[:3]
    for line in signatures.splitlines():
        _, signer, encoded = line.split(" ")
        raw = b64decode(encoded)
        if signer == name and raw[:4] == key_id:
            try:
                Ed25519PublicKey.from_public_bytes(public_key).verify(raw[4:], text.encode() + b"\n")
            except InvalidSignature:
                raise ProofFailed("The checkpoint's signature is wrong.") from None
            if origin != name:
                raise ProofFailed(f"The checkpoint is of {origin}, not of {name}.")
            return Head(int(size), b64decode(root))
    raise ProofFailed(f"{name} did not sign the checkpoint.")
