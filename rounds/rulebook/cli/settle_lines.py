"""The loop of `manage.py settle`: one answer per JSON line. A bad line gets an error as its answer; the run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from typing import Any

import msgspec

from rounds.engine import PackCollection, errors, settle

CHUNK_BYTES = 65_536


def stream_lines(source: BufferedReader, before_read: Callable[[], object]) -> Iterator[bytes]:
    """Lines without their line ends. Calls `before_read` (flush) after each chunk, because the next read may block."""
    unfinished: list[bytes] = []
    while chunk := source.read1(CHUNK_BYTES):
        whole, newline, rest = chunk.rpartition(b"\n")
        if newline:
            yield from b"".join((*unfinished, whole)).split(b"\n")
            unfinished.clear()
        unfinished.append(rest)
        before_read()
    if last := b"".join(unfinished):
        yield last


@dataclass(slots=True)
class RunTally:
    """Counts of a run. `read` includes blank lines, so that it is the current line number."""

    read: int = 0
    settled: int = 0
    failed: int = 0


def settle_lines(packs: PackCollection, lines: Iterable[bytes], write: Callable[[bytes], object]) -> RunTally:
    """Answers every non-blank line with one call of `write`. Error answers carry their line number."""
    tally = RunTally()
    for tally.read, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        answer = _settle_raw_line(packs, line)
        if "error" in answer:
            tally.failed += 1
            answer["line"] = tally.read
        else:
            tally.settled += 1
        write(_encode(answer) + b"\n")
    return tally


_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def _settle_raw_line(packs: PackCollection, line: bytes) -> dict[str, Any]:
    """The settlement of a line, or an error that still lacks its line number."""
    try:
        decoded = _decode(line)
        if not _has_unique_keys(line, decoded):
            _reject_duplicate_keys(line)
    except (ValueError, RecursionError) as error:
        return _error_answer(
            errors.ErrorCode.BAD_LINE, f"{_decode_error_text(error)}: expected one JSON object in UTF-8"
        )
    except _DuplicateKey as repeated:
        return _error_answer(
            errors.ErrorCode.BAD_LINE, f"the key {repeated.key[:60]!r} is there twice: expected each key once"
        )
    return settle.settle_line(packs, decoded)


class _DuplicateKey(Exception):
    """A repeated key. JSON parsers differ on which value counts, so such a line is refused."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _has_unique_keys(line: bytes, decoded: object) -> bool:
    """Fast filter: decoding loses a repeated key, so the re-encoded text differs. False for some valid lines too, which
    _reject_duplicate_keys() then parses."""
    return _encode(decoded) == msgspec.json.format(line, indent=-1)


def _reject_duplicate_keys(line: bytes) -> None:
    def check_keys(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            raise _DuplicateKey(next(key for key in keys if keys.count(key) > 1))

    # Only keys matter here; parse_int=str because int() refuses integers of thousands of digits.
    json.loads(line, object_pairs_hook=check_keys, parse_int=str)


def _error_answer(code: errors.ErrorCode, message: str) -> dict[str, Any]:
    return {"error": message, "code": code.value}


def _decode_error_text(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "the line is not UTF-8"
    if isinstance(error, RecursionError):
        return "the line is nested too deeply"
    return f"the line is not JSON ({error})"
