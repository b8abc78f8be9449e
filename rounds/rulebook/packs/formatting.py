"""How the commands print: aligned columns, exact percentages, and silence when the reader has gone away."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import msgspec

PIPE_CLOSED_STATUS = 1
INTERRUPTED_STATUS = 130


def to_json_line(value: object) -> str:
    """One line of JSON."""
    return msgspec.json.encode(value).decode()


def format_columns(
    headings: Sequence[str], rows: Sequence[Sequence[str]], figures: frozenset[str] = frozenset()
) -> str:
    """A table in plain text; columns named in `figures` are set to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    is_figure = [heading in figures for heading in headings]
    lines = [headings, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, is_figure, strict=True)
        ).rstrip()
        for line in lines
    )


def format_percent(part: Fraction) -> str:
    """1/36 → "2.78 %", rounded half to even from the exact fraction."""
    hundredths = round(part * 10_000)
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{rest:02d} %"


@contextmanager
def exit_quietly_on_closed_pipe() -> Iterator[None]:
    """`… | head` ends the run without a word, and so does Ctrl-C."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would try once more at exit, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED_STATUS)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED_STATUS)
