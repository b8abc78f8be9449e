"""The run of `manage.py settle`: each line is answered on its own, and a bad line never ends the run."""

from __future__ import annotations

import json
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
        if not _says_everything_once(line, asked):
            _refuse_repeated_keys(line)
    except (ValueError, RecursionError) as error:
        return _error(ErrorCode.BAD_LINE, f"{_fault(error)}: expected one JSON object in UTF-8")
    except _RepeatedKey as repeated:
        return _error(ErrorCode.BAD_LINE, f"the key {repeated.key[:60]!r} is there twice: expected each key once")
    return settle_line(packs, asked)


class _RepeatedKey(Exception):
    """Readers differ on which of two values counts, so a line that has both says nothing."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _says_everything_once(line: bytes, asked: object) -> bool:
    """Quick, and never wrong when it says yes: a repeated key is lost by decoding, so the two texts then differ."""
    return _encode(asked) == msgspec.json.format(line, indent=-1)


def _refuse_repeated_keys(line: bytes) -> None:
    def members(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            raise _RepeatedKey(next(key for key in keys if keys.count(key) > 1))

    # Only the keys are looked at; Python refuses to convert integers of thousands of digits.
    json.loads(line, object_pairs_hook=members, parse_int=str)


def _error(code: ErrorCode, message: str) -> dict[str, Any]:
    return {"error": message, "code": code.value}


def _fault(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "the line is not UTF-8"
    if isinstance(error, RecursionError):
        return "the line is nested too deeply"
    return f"the line is not JSON ({error})"
