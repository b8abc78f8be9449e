"""Parses a TOML table into frozen dataclasses, whose annotations are the schema. Nothing is coerced.

Every problem names the key, what was found and what was expected. `RETIRED_KEYS` of a dataclass are ignored, because
approved packs that contain them must still be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rounds.engine.bets.bet_codes import parse_bet
from rounds.engine.bets.odds_notation import parse_odds
from rounds.engine.errors import EngineError
from rounds.engine.pack.vocabulary import BetCode, Cents, Clause, Count, RoleWord

Record = TypeVar("Record")

SILENT = "silent"
"""The value of a required optional key where the document says nothing about the subject; parsed as None."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse a pack."""

    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.key}: found {self.found}, expected {self.expected}"


class PackRefused(Exception):
    """Raised for one part of a pack, with its problems. The loader collects them into one EngineError."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


def shorten_repr(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 70 else f"{text[:67]}..."


def _build_refusal(key: str, raw: object, expected: str) -> PackRefused:
    return PackRefused([Problem(key or "the file", shorten_repr(raw), expected)])


def _read_text(raw: object, key: str) -> str:
    if isinstance(raw, str) and raw.strip():
        return raw
    raise _build_refusal(key, raw, "some text")


def _read_integer(raw: object, key: str) -> int:
    if type(raw) is int:
        return raw
    raise _build_refusal(key, raw, "a whole number")


def _read_positive_integer(raw: object, key: str) -> int:
    if type(raw) is int and raw > 0:
        return raw
    raise _build_refusal(key, raw, "a whole number above 0")


def _read_boolean(raw: object, key: str) -> bool:
    if isinstance(raw, bool):
        return raw
    raise _build_refusal(key, raw, "true or false")


def _read_odds(raw: object, key: str) -> Fraction:
    try:
        return parse_odds(raw)
    except EngineError as error:
        raise _build_refusal(key, raw, 'odds as an exact fraction, such as "8.5 to 1"') from error


def _read_bet_code(raw: object, key: str) -> str:
    try:
        return parse_bet(raw).code
    except EngineError as error:
        raise _build_refusal(key, raw, f"a bet code ({error.message})") from error


def _read_datetime(raw: object, key: str) -> datetime:
    if isinstance(raw, datetime) and raw.tzinfo is not None:
        return raw
    raise _build_refusal(key, str(raw), "a date and time with its zone, such as 2021-05-24T08:00:00+08:00")


def _read_any(raw: object, key: str) -> object:
    return raw


_SCALAR_READERS: dict[Any, Callable[[object, str], Any]] = {
    str: _read_text,
    Clause: _read_text,
    RoleWord: _read_text,
    int: _read_integer,
    Count: _read_positive_integer,
    Cents: _read_positive_integer,
    bool: _read_boolean,
    Fraction: _read_odds,
    BetCode: _read_bet_code,
    datetime: _read_datetime,
    object: _read_any,
}


def read_record(kind: type[Record], raw: object, key: str = "") -> Record:
    """Parses a TOML table into the dataclass `kind`. Raises PackRefused with every problem in it."""
    value: Record = read_value(kind, raw, key)
    return value


def read_value(kind: Any, raw: object, key: str) -> Any:
    """Parses one value. `kind` is a type annotation: a scalar, Literal, optional, tuple, Mapping or dataclass."""
    scalar = _SCALAR_READERS.get(kind)
    if scalar is not None:
        return scalar(raw, key)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _read_literal(args, raw, key)
    if origin in (Union, UnionType):
        return _read_optional(args, raw, key)
    if origin is tuple:
        return _read_sequence(args[0], raw, key)
    if origin is Mapping:
        return _read_mapping(args, raw, key)
    if is_dataclass(kind):
        return _read_dataclass(kind, raw, key)
    raise AssertionError(f"no reader for {kind}")


def _read_literal(words: tuple[Any, ...], raw: object, key: str) -> object:
    if any(raw == word and type(raw) is type(word) for word in words):
        return raw
    raise _build_refusal(key, raw, "one of " + ", ".join(map(str, words)))


def _read_optional(kinds: tuple[Any, ...], raw: object, key: str) -> Any:
    if raw == SILENT and isinstance(raw, str):
        return None
    return read_value(next(kind for kind in kinds if kind is not NoneType), raw, key)


def _read_sequence(kind: Any, raw: object, key: str) -> tuple[Any, ...]:
    if not isinstance(raw, list):
        raise _build_refusal(key, raw, "a list")
    return tuple(
        _read_fields(_FieldToRead(str(index), kind, item, f"{key}.{index}") for index, item in enumerate(raw)).values()
    )


def _read_mapping(kinds: tuple[Any, ...], raw: object, key: str) -> dict[Any, Any]:
    if not isinstance(raw, dict):
        raise _build_refusal(key, raw, "a table")
    words, kind = kinds
    for word in raw:
        read_value(words, word, f"{key}.{word}")
    return _read_fields(_FieldToRead(word, kind, item, _join_key(key, word)) for word, item in raw.items())


def _read_dataclass(kind: Any, raw: object, key: str) -> Any:
    if not isinstance(raw, dict):
        raise _build_refusal(key, raw, "a table")
    known = {field.name: field for field in fields(kind)}
    problems = [
        Problem(_join_key(key, name), "an unknown key", "one of " + ", ".join(known))
        for name in raw
        if name not in known and name not in getattr(kind, "RETIRED_KEYS", ())
    ]
    hints = _type_hints(kind)
    jobs = []
    for name, field in known.items():
        if name in raw:
            jobs.append(_FieldToRead(name, hints[name], raw[name], _join_key(key, name)))
        elif not _has_default(field):
            problems.append(Problem(_join_key(key, name), "nothing", _expected_text(hints[name])))
    return kind(**_read_fields(jobs, problems))


@dataclass(frozen=True, slots=True)
class _FieldToRead:
    name: str
    kind: Any
    raw: object
    key: str


def _read_fields(jobs: Iterator[_FieldToRead] | list[_FieldToRead], problems: Sequence[Problem] = ()) -> dict[str, Any]:
    """Reads every field before raising, so that one run reports all problems of a pack."""
    found, read = list(problems), {}
    for job in jobs:
        try:
            read[job.name] = read_value(job.kind, job.raw, job.key)
        except PackRefused as refusal:
            found.extend(refusal.problems)
    if found:
        raise PackRefused(found)
    return read


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _expected_text(kind: Any) -> str:
    if get_origin(kind) in (Union, UnionType):
        return f'this key, or the word "{SILENT}" where the document says nothing'
    return "this key"


def _join_key(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


@cache
def _type_hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def iterate_scalars(kind: Any, value: Any, key: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yields (key, kind, value) of every scalar in a record. Used to find every cited clause and role word."""
    origin, args, is_record = get_origin(kind), get_args(kind), is_dataclass(kind)
    if value is None:
        return
    if origin in (Union, UnionType):
        yield from iterate_scalars(next(each for each in args if each is not NoneType), value, key)
    elif origin is tuple:
        for index, item in enumerate(value):
            yield from iterate_scalars(args[0], item, f"{key}.{index}")
    elif origin is Mapping:
        for name, item in value.items():
            yield from iterate_scalars(args[1], item, _join_key(key, name))
    elif is_record:
        for name, hint in _type_hints(kind).items():
            yield from iterate_scalars(hint, getattr(value, name), _join_key(key, name))
    else:
        yield key, kind, value
