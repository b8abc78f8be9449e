"""Output of the commands: aligned columns, percentages, JSON lines, and a quiet exit when the pipe is closed."""

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
    return msgspec.json.encode(value).decode()


def format_columns(
    headings: Sequence[str], rows: Sequence[Sequence[str]], figures: frozenset[str] = frozenset()
) -> str:
    """A plain text table; columns named in `figures` are right-aligned."""
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
    """Exits without a traceback when stdout is closed (`… | head`) or on Ctrl-C."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout again at exit, which would print another error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED_STATUS)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED_STATUS)
