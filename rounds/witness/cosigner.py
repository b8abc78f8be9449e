"""The check before every cosignature, both for followed logs and for add-checkpoint requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rounds.transparency_log import errors, formats, tree
from rounds.witness.errors import (
    InvalidCheckpointRequest,
    LogNotFollowed,
    NotTrusted,
    RootMismatch,
    SizeMismatch,
    StateLost,
)
from rounds.witness.keys import CosignedHeads, read_key_file
from rounds.witness.state import STATE_LOST_ADVICE, FollowedLog, RefusedCheckpoint, WitnessState


@dataclass(frozen=True)
class OfferedCheckpoint:
    """A checkpoint signed by a trusted key of the log. A cosignature covers its `text`."""

    origin: str
    head: tree.TreeHead
    note: bytes
    text: str


class Cosigner:
    """The witness's key, its state, and a clock in whole seconds."""

    def __init__(
        self, state: WitnessState, signer: formats.SignerKey, cosigned_heads: CosignedHeads, clock: Callable[[], int]
    ) -> None:
        self.state, self.signer, self.cosigned_heads, self.clock = state, signer, cosigned_heads, clock

    @classmethod
    def start(cls, state_file: Path, key_file: Path, clock: Callable[[], int]) -> Cosigner:
        """Raises StateLost if the state has less than the key has cosigned."""
        signer = read_key_file(key_file)
        cosigned_heads = CosignedHeads(key_file)
        state = WitnessState.open(state_file, signer.name)
        for origin, head in cosigned_heads.read().items():
            _check_state_not_older(state, origin, head)
        return cls(state, signer, cosigned_heads, clock)

    @property
    def key(self) -> formats.WitnessKey:
        return formats.witness_key_of(self.signer)

    def open_checkpoint(self, note: bytes) -> OfferedCheckpoint:
        """Verify that a key trusted for the log signed the note, and parse it."""
        try:
            text, _ = formats.split_note(note)
        except errors.NoteError as error:
            raise InvalidCheckpointRequest("bad-note", error.sentence) from error
        origin = text.partition("\n")[0]
        keys = self.state.trusted_keys(origin)
        if not keys:
            raise LogNotFollowed("unknown-log", f"This witness does not follow {origin}.")
        try:
            formats.open_note(note, keys)
        except errors.NoteError as error:
            raise NotTrusted("not-trusted", f"No trusted key of {origin} signed this: {error.sentence}") from error
        try:
            head = formats.Checkpoint.parse(text, origin).head
        except errors.NoteError as error:
            raise InvalidCheckpointRequest("bad-checkpoint", error.sentence) from error
        return OfferedCheckpoint(origin, head, note, text)

    def cosign(self, offered: OfferedCheckpoint, old_size: int, proof: Sequence[bytes]) -> str:
        """Returns the cosignature line for a checkpoint that extends the last one.

        An error leaves the state unchanged.
        """

        def check(kept: tree.TreeHead) -> None:
            check_extends_last(kept, offered.head, old_size, proof)

        try:
            at = self.state.advance_checkpoint(
                offered.origin, offered.head, offered.note, check=check, clock=self.clock
            )
        except RootMismatch:
            self.record_refusal(offered, "other-root")
            raise
        self.cosigned_heads.advance_to(offered.origin, offered.head)
        return formats.cosign_note(offered.text, self.signer, at)

    def record_refusal(self, offered: OfferedCheckpoint, reason: str) -> None:
        kept = self.require_followed_log(offered.origin).note
        if kept is not None:
            self.state.add_refusal(offered.origin, reason, kept, offered.note, self.clock())

    def sign_disagreement(self, refused: RefusedCheckpoint) -> bytes:
        """The signed statement of disagreement, with both checkpoints."""
        statement = formats.Disagreement(refused.origin, refused.at, refused.reason, refused.kept, refused.offered)
        return statement.sign(self.signer)

    def require_followed_log(self, origin: str) -> FollowedLog:
        followed = self.state.followed_log(origin)
        if followed is None:
            raise LogNotFollowed("unknown-log", f"This witness does not follow {origin}.")
        return followed

    def check_state_not_lost(self, offered: OfferedCheckpoint) -> None:
        """Raises StateLost for a checkpoint after our last one that has our own cosignature:
        our files are old copies.
        """
        if offered.head.size > self.require_followed_log(offered.origin).head.size and formats.verified_cosignatures(
            offered.note, [self.key]
        ):
            raise StateLost(
                "state-lost",
                f"{self.key.name} cosigned {offered.head.size} entries of {offered.origin}, and its state does not "
                f"know of it. {STATE_LOST_ADVICE}",
            )


def check_extends_last(kept: tree.TreeHead, head: tree.TreeHead, old_size: int, proof: Sequence[bytes]) -> None:
    """The checks of C2SP tlog-witness, in the order of the specification."""
    if old_size > head.size:
        raise InvalidCheckpointRequest(
            "sizes-out-of-order", f"A log of {head.size} entries cannot extend one of {old_size}."
        )
    if old_size != kept.size:
        raise SizeMismatch(kept.size)
    if head.size == kept.size and head.root != kept.root:
        raise RootMismatch(kept.size)
    if kept.size == 0:
        if proof:
            raise errors.ProofError("proof-length", "Nothing is to be proved from the empty log on.")
        return
    tree.verify_consistency(kept, head, proof)


def _check_state_not_older(state: WitnessState, origin: str, cosigned: tree.TreeHead) -> None:
    followed = state.followed_log(origin)
    kept = followed.head if followed else tree.TreeHead(-1, b"")
    if kept.size < cosigned.size or (kept.size == cosigned.size and kept.root != cosigned.root):
        raise StateLost(
            "state-lost",
            f"The key has cosigned {cosigned.size} entries of {origin}, and the state {state.path} does not know of it"
            f": it was lost, or an old copy was put in its place. {STATE_LOST_ADVICE}",
        )
