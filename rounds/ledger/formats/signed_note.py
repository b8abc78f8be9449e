"""Signed notes and checkpoints, byte for byte as C2SP signed-note and tlog-checkpoint say; Ed25519 only.

Nothing of a note is handed out before a known key's signature over it was checked.
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

from rounds.ledger.errors import NoteError
from rounds.ledger.tree.merkle import EMPTY_ROOT, HASH_BYTES, MAX_SIZE, TreeHead

ED25519 = b"\x01"
SIGNATURE_START = "\u2014 "
MAX_NOTE_BYTES = 1_000_000
MAX_SIGNATURES = 100


def encode_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def decode_base64(text: str, what: str) -> bytes:
    """Standard alphabet, padded, and the one spelling of its bytes: two texts must never mean one value."""
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raw = b""
    if not raw or encode_base64(raw) != text:
        raise NoteError("bad-base64", f"The {what} is cut off or mistyped: it is not canonical base64.")
    return raw


def parse_decimal(text: str, what: str, limit: int = MAX_SIZE) -> int:
    """A number as notes write it: ASCII digits, no sign, no leading zero."""
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
    """A public key under its name: what an inspector holds to check the log's signatures."""

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
        """Read ``name+key id+base64(type, public key)``."""
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
    """The log's private key under its name. Kept outside the database."""

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
    """The text, a blank line, and one signature line a signer."""
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
    """The text of a note and which of the known keys signed it.

    Lines of unknown keys are passed over. A known key whose signature is wrong refuses the whole note.
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
    """A note's text and its signatures, unchecked: for whoever must know of whom it is before choosing the keys."""
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
    """What a log commits itself to: its origin, how many entries it has, and the root over them."""

    origin: str
    head: TreeHead

    def text(self) -> str:
        return f"{self.origin}\n{self.head.size}\n{encode_base64(self.head.root)}\n"

    @classmethod
    def parse(cls, text: str, origin: str) -> Checkpoint:
        """Read a checkpoint's text. Lines after the third are allowed by the format and carry no meaning here."""
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
    """A log signs under its own origin, so that the key name and the origin line are one.

    ``others`` are further keys of the log: the one that hands over to ``signer``.
    """
    checkpoint = Checkpoint(signer.name, head)
    Checkpoint.parse(checkpoint.text(), signer.name)
    return sign_note(checkpoint.text(), [signer, *others])


def open_checkpoint(note: bytes, key: VerifierKey) -> Checkpoint:
    """The checkpoint in a note signed by the log's own key; its head is what proofs are checked against."""
    text, _ = open_note(note, [key])
    return Checkpoint.parse(text, key.name)


def parse_unverified_head(note: bytes) -> TreeHead | None:
    """What a checkpoint's text claims, its signature unchecked: to show it or to look for a proof, never to rely on."""
    try:
        text, _ = split_note(note)
        return Checkpoint.parse(text, text.partition("\n")[0]).head
    except NoteError:
        return None
