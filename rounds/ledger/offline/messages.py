"""What does not fit, as an error with words for the reader; and how a reader is told."""

from __future__ import annotations


class EvidenceError(Exception):
    """Something in the evidence is not what it should be; the text says what, in words."""


def print_safely(sentence: str) -> None:
    """Print without ever failing on, or obeying, odd characters from the evidence."""
    print(
        "".join(one if one.isprintable() else "?" for one in sentence[:2000])
        .encode("ascii", "backslashreplace")
        .decode()
    )
