"""Errors of the log. Each has a stable code, the field it concerns, and one sentence for people."""

from __future__ import annotations


class LedgerError(ValueError):
    """Base class of the errors of a log. ``field`` is a JSON Pointer (RFC 6901); empty means the whole input."""

    def __init__(self, code: str, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.field = field


class EntryError(LedgerError):
    """The content cannot be appended as an entry."""


class ProofError(LedgerError):
    """A Merkle proof does not lead to the signed root."""


class NoteError(LedgerError):
    """A signed note, checkpoint, key or proof file is malformed, or its signature is missing or wrong."""
