"""EvidenceError, whose text explains a problem to the reader, and safe printing."""

from __future__ import annotations


class EvidenceError(Exception):
    """The evidence is not what it should be. The text says what is wrong."""


def print_safely(sentence: str) -> None:
    """Print without failing on, or interpreting, odd characters from the evidence."""
    print(
        "".join(one if one.isprintable() else "?" for one in sentence[:2000])
        .encode("ascii", "backslashreplace")
        .decode()
    )
