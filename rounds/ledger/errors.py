"""Every refusal of the ledger: a stable code, the field it is about, and one plain sentence."""

from __future__ import annotations


class LedgerError(ValueError):
    """Something was not accepted. ``field`` is a JSON Pointer (RFC 6901), empty for the whole thing."""

    def __init__(self, code: str, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field


class EntryError(LedgerError):
    """A record that cannot become an entry."""


class ProofError(LedgerError):
    """A proof that does not show what it claims."""


class NoteError(LedgerError):
    """A signed note, checkpoint, key or proof file that is malformed or not signed as it must be."""


class BundleError(LedgerError):
    """Evidence that cannot be written as asked."""
