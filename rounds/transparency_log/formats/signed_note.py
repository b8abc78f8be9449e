"""Signed notes and checkpoints, byte for byte as specified in C2SP signed-note and tlog-checkpoint; Ed25519 only.

Functions named open_* return nothing before a known key's signature was verified.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from rounds.transparency_log.errors import NoteError
from rounds.transparency_log.tree.merkle import EMPTY_ROOT, HASH_BYTES, MAX_SIZE, TreeHead

ED25519 = b"\x01"
SIGNATURE_START = "\u2014 "
MAX_NOTE_BYTES = 1_000_000
MAX_SIGNATURES = 100


def encode_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def decode_base64(text: str, what: str) -> bytes:
    """Decode standard, padded base64. Refuses every spelling but the canonical one, so that one value has one text."""
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raw = b""
    if not raw or encode_base64(raw) != text:
        raise NoteError("bad-base64", f"The {what} is cut off or mistyped: it is not canonical base64.")
    return raw


def parse_decimal(text: str, what: str, limit: int = MAX_SIZE) -> int:
    """Parse a number as notes write it: ASCII digits, no sign, no leading zero."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20) or (text[0] == "0" and text != "0"):
        raise NoteError("bad-number", f"The {what} must be digits without leading zeroes.")
    number = int(text)
    if number > limit:
        raise NoteError("bad-number", f"The {what} is too large.")
    return number


def check_key_name(name: str) -> None:
    if not name or "+" in name or any(one.isspace() or not one.isprintable() for one in name):
        raise NoteError("bad-key-name", "A key name must not be empty or hold spaces, controls or a plus sign.")


def key_id_of(name: str, public_key: bytes, algorithm: bytes = ED25519) -> bytes:
    return sha256(name.encode() + b"\n" + algorithm + public_key).digest()[:4]


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key and its name: what an inspector needs to check the log's signatures."""

    algorithm: ClassVar[bytes] = ED25519
    kind: ClassVar[str] = "an Ed25519 key"

    name: str
    public_key: bytes

    def __post_init__(self) -> None:
        check_key_name(self.name)
        if len(self.public_key) != 32:
            raise NoteError("bad-key", "An Ed25519 public key is 32 bytes long.")

    @property
    def key_id(self) -> bytes:
        return key_id_of(self.name, self.public_key, self.algorithm)

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{encode_base64(self.algorithm + self.public_key)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse ``name+key id+base64(type, public key)``."""
        name, _, rest = text.partition("+")
        key_id, _, encoded = rest.partition("+")
        raw = decode_base64(encoded, "verifier key")
        if raw[:1] != cls.algorithm:
            raise NoteError("bad-key", f"The verifier key is not {cls.kind}.")
        key = cls(name, raw[1:])
        if key.key_id.hex() != key_id:
            raise NoteError("bad-key", "The verifier key's id does not belong to its name and key.")
        return key

    def accepts(self, text: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(signature, text)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True, slots=True)
class SignerKey:
    """The log's private key and its name. Stored outside the database."""

    name: str
    private_key: Ed25519PrivateKey

    @classmethod
    def from_seed(cls, name: str, seed: bytes) -> SignerKey:
        check_key_name(name)
        return cls(name, Ed25519PrivateKey.from_private_bytes(seed))

    @property
    def verifier(self) -> VerifierKey:
        return VerifierKey(self.name, self.private_key.public_key().public_bytes_raw())


def sign_note(text: str, signers: Sequence[SignerKey]) -> bytes:
    """Returns the text, a blank line, and one signature line for each signer."""
    body = text.encode()
    if not text.endswith("\n") or not signers:
        raise NoteError("bad-note", "A note is text that ends in a newline, signed by at least one key.")
    _check_characters(text)
    lines = (
        f"{SIGNATURE_START}{signer.name} {encode_base64(signer.verifier.key_id + signer.private_key.sign(body))}\n"
        for signer in signers
    )
    return body + b"\n" + "".join(lines).encode()


def open_note(note: bytes, keys: Sequence[VerifierKey]) -> tuple[str, tuple[VerifierKey, ...]]:
    """Returns the text of a note and which of the known keys signed it.

    Signatures of unknown keys are ignored. An invalid signature of a known key refuses the whole note.
    """
    text, signatures = split_note(note)
    known = {(key.name, key.key_id): key for key in keys}
    signed_by: list[VerifierKey] = []
    for name, raw in signatures:
        key = known.get((name, raw[:4]))
        if key is None:
            continue
        if key in signed_by:
            raise NoteError("repeated-signature", f"The note is signed twice by {name}.")
        if not key.accepts(text.encode(), raw[4:]):
            raise NoteError("bad-signature", f"The signature of {name} does not belong to this text.")
        signed_by.append(key)
    if not signed_by:
        raise NoteError("not-signed", "None of the known keys signed this note.")
    return text, tuple(signed_by)


def _check_characters(text: str) -> None:
    if any(one < " " and one != "\n" for one in text):
        raise NoteError("bad-note", "A note must not hold control characters.")


def split_note(note: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """A note's text and signatures, unverified: for callers that need its origin before they can choose the keys."""
    if len(note) > MAX_NOTE_BYTES:
        raise NoteError("bad-note", "The note is longer than a megabyte.")
    try:
        whole = note.decode("utf-8")
    except UnicodeDecodeError:
        raise NoteError("bad-note", "The note is not valid UTF-8.") from None
    _check_characters(whole)
    text, separator, signed = whole.rpartition("\n\n")
    if not separator or not text or not signed.endswith("\n"):
        raise NoteError("bad-note", "A note is text, a blank line, and lines of signatures.")
    lines = signed[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise NoteError("bad-note", f"The note has more than {MAX_SIGNATURES} signatures.")
    return text + "\n", [_parse_signature_line(line) for line in lines]


def _parse_signature_line(line: str) -> tuple[str, bytes]:
    name, _, encoded = line.removeprefix(SIGNATURE_START).partition(" ")
    if not line.startswith(SIGNATURE_START):
        raise NoteError("bad-note", "After the blank line every line must be a signature.")
    check_key_name(name)
    raw = decode_base64(encoded, "signature")
    if len(raw) < 5:
        raise NoteError("bad-note", "A signature line is too short to hold a key id and a signature.")
    return name, raw


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log commits to: its origin, the number of its entries, and the root hash over them."""

    origin: str
    head: TreeHead

    def text(self) -> str:
        return f"{self.origin}\n{self.head.size}\n{encode_base64(self.head.root)}\n"

    @classmethod
    def parse(cls, text: str, origin: str) -> Checkpoint:
        """Parse a checkpoint's text. The format allows lines after the third; they are ignored."""
        lines = text.split("\n")
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
            raise NoteError("bad-checkpoint", "A checkpoint is at least three lines, none of them empty.")
        if lines[0] != origin:
            raise NoteError("other-origin", f"The checkpoint is of {lines[0]}, not of {origin}.")
        size = parse_decimal(lines[1], "tree size")
        root = decode_base64(lines[2], "root hash")
        if len(root) != HASH_BYTES:
            raise NoteError("bad-checkpoint", f"A root hash is {HASH_BYTES} bytes long.")
        if size == 0 and root != EMPTY_ROOT:
            raise NoteError("bad-checkpoint", "A log without entries has the root of the empty tree.")
        return cls(lines[0], TreeHead(size, root))


def sign_checkpoint(head: TreeHead, signer: SignerKey, *others: SignerKey) -> bytes:
    """Sign a checkpoint. Its origin line is the name of ``signer``.

    ``others`` are further keys of the log: at a key rotation, the old one.
    """
    checkpoint = Checkpoint(signer.name, head)
    Checkpoint.parse(checkpoint.text(), signer.name)
    return sign_note(checkpoint.text(), [signer, *others])


def open_checkpoint(note: bytes, key: VerifierKey) -> Checkpoint:
    """The checkpoint in a note, once the log's signature was verified. Proofs are checked against its head."""
    text, _ = open_note(note, [key])
    return Checkpoint.parse(text, key.name)


def parse_unverified_head(note: bytes) -> TreeHead | None:
    """The size and root in a checkpoint's text, signature unverified. For display or to look up a proof only."""
    try:
        text, _ = split_note(note)
        return Checkpoint.parse(text, text.partition("\n")[0]).head
    except NoteError:
        return None
