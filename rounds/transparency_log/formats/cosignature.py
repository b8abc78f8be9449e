"""Cosignatures of witnesses, byte for byte as specified in C2SP tlog-cosignature (cosignature/v1, Ed25519).

A witness's key is a VerifierKey, so that `open_note` checks its signature line together with the log's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from rounds.transparency_log.errors import NoteError
from rounds.transparency_log.formats.signed_note import (
    SIGNATURE_START,
    SignerKey,
    VerifierKey,
    decode_base64,
    encode_base64,
    open_note,
    parse_decimal,
    sign_note,
    split_note,
)

COSIGNATURE_V1 = b"\x04"
HEADER = "cosignature/v1"
TIME_BYTES = 8
SIGNATURE_BYTES = 64
LATEST_TIME = 2**63 - 1
# Suffix of a witness's second key. Its cosignature also states that every settlement was recomputed.
AUDITED_SUFFIX = "/audited"


@dataclass(frozen=True, slots=True)
class WitnessKey(VerifierKey):
    """A witness's public key. The message it signs starts with a header line and the time of signing."""

    algorithm: ClassVar[bytes] = COSIGNATURE_V1
    kind: ClassVar[str] = "the key of a witness (cosignature/v1)"

    def accepts(self, text: bytes, signature: bytes) -> bool:
        at = cosigned_at(signature)
        if at is None:
            return False
        return VerifierKey(self.name, self.public_key).accepts(_signed_message(text, at), signature[TIME_BYTES:])


def _signed_message(text: bytes, at: int) -> bytes:
    return f"{HEADER}\ntime {at}\n".encode() + text


def cosigned_at(signature: bytes) -> int | None:
    """The Unix time stored in a cosignature; None if the bytes cannot be one."""
    at = int.from_bytes(signature[:TIME_BYTES], "big")
    return at if len(signature) == TIME_BYTES + SIGNATURE_BYTES and at <= LATEST_TIME else None


def witness_key_of(signer: SignerKey) -> WitnessKey:
    return WitnessKey(signer.name, signer.verifier.public_key)


def cosign_note(text: str, signer: SignerKey, at: int) -> str:
    """Returns the signature line that a witness adds to a checkpoint."""
    if not 0 <= at <= LATEST_TIME:
        raise NoteError("bad-time", "A cosignature's time is a number of seconds since 1970.")
    signature = signer.private_key.sign(_signed_message(text.encode(), at))
    return format_signature_line(
        signer.name, witness_key_of(signer).key_id + at.to_bytes(TIME_BYTES, "big") + signature
    )


def format_signature_line(name: str, raw: bytes) -> str:
    return f"{SIGNATURE_START}{name} {encode_base64(raw)}\n"


class VerifiedCosignature(NamedTuple):
    """A valid cosignature: which witness signed the checkpoint, and when."""

    key: WitnessKey
    at: int
    line: str


def verified_cosignatures(note: bytes, keys: list[WitnessKey]) -> list[VerifiedCosignature]:
    """Which of these witnesses cosigned the note, and when.

    An invalid line is ignored and does not affect the others.
    """
    text, signatures = split_note(note)
    known = {(key.name, key.key_id): key for key in keys}
    verified: dict[WitnessKey, VerifiedCosignature] = {}
    for name, raw in signatures:
        key, at = known.get((name, raw[:4])), cosigned_at(raw[4:])
        if key is not None and at is not None and key.accepts(text.encode(), raw[4:]):
            verified[key] = VerifiedCosignature(key, at, format_signature_line(name, raw))
    return list(verified.values())


DISAGREEMENT_HEADER = "fairthrow-disagreement/v1"
DISAGREEMENT_REASONS = {
    "other-root": "The log signed another history of the same length than it signed before.",
    "not-extended": "The log as signed now does not begin with what it signed before.",
    "shrank": "The log as signed now is shorter than what it signed before.",
    "not-reproduced": "Something in the log could not be recomputed by the rules in it.",
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A witness's signed statement that a log is inconsistent. With both signed checkpoints it is evidence by itself.

    `kept` is the checkpoint the witness had cosigned, `offered` the one it refused. The first line separates these
    statements from cosignatures made with the same key.
    """

    origin: str
    at: int
    reason: str
    kept: bytes
    offered: bytes

    def text(self) -> str:
        notes = f"kept {encode_base64(self.kept)}\noffered {encode_base64(self.offered)}\n"
        return f"{DISAGREEMENT_HEADER}\n{self.origin}\ntime {self.at}\nreason {self.reason}\n{notes}"

    def sign(self, signer: SignerKey) -> bytes:
        return sign_note(self.text(), [signer])

    @classmethod
    def open(cls, note: bytes, key: WitnessKey) -> Disagreement:
        """Parse and check the witness's signature.

        The caller checks with the log's keys whether the log signed both notes.
        """
        text, _ = open_note(note, [VerifierKey(key.name, key.public_key)])
        lines = text.split("\n")
        words = [line.partition(" ")[0] for line in lines]
        if lines[0] != DISAGREEMENT_HEADER or words[2:] != ["time", "reason", "kept", "offered", ""]:
            raise NoteError("bad-disagreement", "This is not a statement of disagreement.")
        time, reason, kept, offered = (line.partition(" ")[2] for line in lines[2:6])
        if reason not in DISAGREEMENT_REASONS:
            raise NoteError("bad-disagreement", f"A witness does not disagree for the reason {reason!r}.")
        at = parse_decimal(time, "time")
        return cls(lines[1], at, reason, decode_base64(kept, "kept note"), decode_base64(offered, "offered note"))
