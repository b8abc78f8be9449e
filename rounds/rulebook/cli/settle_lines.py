"""The run of `manage.py settle`: each line is answered on its own, and a bad line never ends the run."""

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
    """Lines without their ends. Answers to all that was read are sent before the next read, which may have to wait."""
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
    """How a run went. `read` counts every line of the input, blank ones too, so that it is a line number."""

    read: int = 0
    settled: int = 0
    failed: int = 0


def settle_lines(packs: PackCollection, lines: Iterable[bytes], write: Callable[[bytes], object]) -> RunTally:
    """Answers every line that is not blank, each in one call of `write`; an error says which line it is about."""
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
        asked = _decode(line)
        if not _has_unique_keys(line, asked):
            _reject_duplicate_keys(line)
    except (ValueError, RecursionError) as error:
        return _error_answer(
            errors.ErrorCode.BAD_LINE, f"{_decode_error_text(error)}: expected one JSON object in UTF-8"
        )
    except _DuplicateKey as repeated:
        return _error_answer(
            errors.ErrorCode.BAD_LINE, f"the key {repeated.key[:60]!r} is there twice: expected each key once"
        )
    return settle.settle_line(packs, asked)


class _DuplicateKey(Exception):
    """Readers differ on which of two values counts, so a line that has both says nothing."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _has_unique_keys(line: bytes, decoded: object) -> bool:
    """Quick, and never wrong when it says yes: a repeated key is lost by decoding, so the two texts then differ."""
    return _encode(decoded) == msgspec.json.format(line, indent=-1)


def _reject_duplicate_keys(line: bytes) -> None:
    def check_keys(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            raise _DuplicateKey(next(key for key in keys if keys.count(key) > 1))

    # Only the keys are looked at; Python refuses to convert integers of thousands of digits.
    json.loads(line, object_pairs_hook=check_keys, parse_int=str)


def _error_answer(code: errors.ErrorCode, message: str) -> dict[str, Any]:
    return {"error": message, "code": code.value}


def _decode_error_text(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "the line is not UTF-8"
    if isinstance(error, RecursionError):
        return "the line is nested too deeply"
    return f"the line is not JSON ({error})"
