"""A log in memory whose key was stolen: it signs any history."""

from rounds.transparency_log.formats.signed_note import sign_checkpoint
from rounds.transparency_log.tree.tiles import consistency_proof
from rounds.witness.http.add_checkpoint import AddCheckpointRequest
from tests.rounds.transparency_log.memory_log import SIGNER, MemoryTree


class History:
    """Entries `a0 a1 a2 …`; from `after` on with another letter."""

    def __init__(self, size: int, letter: str = "a", after: int = 0) -> None:
        letters = ["a" if number < after else letter for number in range(size)]
        self.tree = MemoryTree([f"{letter}{number}".encode() for number, letter in enumerate(letters)])
        self.size = size

    @property
    def note(self) -> bytes:
        return sign_checkpoint(self.tree.frontier.head(), SIGNER)

    def from_size(self, old: int) -> bytes:
        """The body of an add-checkpoint request, with this history's own proof."""
        proof = consistency_proof(self.tree.read(), old, self.size) if 0 < old <= self.size else []
        return AddCheckpointRequest(old, tuple(proof), self.note).to_bytes()
