"""The run of `manage.py settle`: each line is answered on its own, and a bad line never ends the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from typing import Any

import msgspec

from rounds.engine.errors import ErrorCode
from rounds.engine.lines import settle_line
from rounds.engine.shelf import Shelf

CHUNK_BYTES = 65_536


def lines_as_they_come(source: BufferedReader, before_waiting: Callable[[], object]) -> Iterator[bytes]:
    """Lines without their ends. Answers to all that was read are sent before the next read, which may have to wait."""
    unfinished: list[bytes] = []
    while chunk := source.read1(CHUNK_BYTES):
        whole, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield from b"".join((*unfinished, whole)).split(b"\n")
            unfinished.clear()
        unfinished.append(rest)
        before_waiting()
    if last := b"".join(unfinished):
        yield last


@dataclass(slots=True)
class Tally:
    """How a run went. `read` counts every line of the input, blank ones too, so that it is a line number."""

    read: int = 0
    settled: int = 0
    failed: int = 0


def settle_lines(packs: Shelf, lines: Iterable[bytes], write: Callable[[bytes], object]) -> Tally:
    """Answers every line that is not blank, each in one call of `write`; an error says which line it is about."""
    tally = Tally()
    for tally.read, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        answer = _answer(packs, line)
        if "error" in answer:
            tally.failed += 1
            answer["line"] = tally.read
        else:
            tally.settled += 1
        write(_encode(answer) + b"\n")
    return tally


_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def _answer(packs: Shelf, line: bytes) -> dict[str, Any]:
    """The settlement of a line, or an error that still lacks its line number."""
    try:
        asked = _decode(line)
    except (ValueError, RecursionError) as error:
        return _error(ErrorCode.BAD_LINE, f"{_fault(error)}: expected one JSON object in UTF-8")
    return settle_line(packs, asked)


def _error(code: ErrorCode, message: str) -> dict[str, Any]:
    return {"error": message, "code": code.value}


def _fault(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "the line is not UTF-8"
    if isinstance(error, RecursionError):
        return "the line is nested too deeply"
    return f"the line is not JSON ({error})"
