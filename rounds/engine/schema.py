"""Reads TOML into frozen dataclasses: the dataclass is the schema. It never guesses; it reads or it refuses.

Every refusal names the key, what was found and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rounds.engine.bets import parse_bet
from rounds.engine.errors import EngineError
from rounds.engine.odds import parse_odds
from rounds.engine.terms import BetCode, Cents, Clause, Count, RoleWord

Record = TypeVar("Record")

SILENT = "silent"
"""Written where a document says nothing on a subject that a pack must take a position on; read as None."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse a pack."""

    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.key}: found {self.found}, expected {self.expected}"


class Refusal(Exception):
    """Problems of one part of a pack, on their way to the loader."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


def describe(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 70 else f"{text[:67]}..."


def _refuse(key: str, raw: object, expected: str) -> Refusal:
    return Refusal([Problem(key or "the file", describe(raw), expected)])


def _text(raw: object, key: str) -> str:
    if isinstance(raw, str) and raw.strip():
        return raw
    raise _refuse(key, raw, "some text")


def _whole(raw: object, key: str) -> int:
    if type(raw) is int:
        return raw
    raise _refuse(key, raw, "a whole number")


def _positive(raw: object, key: str) -> int:
    if type(raw) is int and raw > 0:
        return raw
    raise _refuse(key, raw, "a whole number above 0")


def _truth(raw: object, key: str) -> bool:
    if isinstance(raw, bool):
        return raw
    raise _refuse(key, raw, "true or false")


def _odds(raw: object, key: str) -> Fraction:
    try:
        return parse_odds(raw)
    except EngineError as error:
        raise _refuse(key, raw, 'odds as an exact fraction, such as "8.5 to 1"') from error


def _bet(raw: object, key: str) -> str:
    try:
        return parse_bet(raw).code
    except EngineError as error:
        raise _refuse(key, raw, f"a bet code ({error.message})") from error


def _instant(raw: object, key: str) -> datetime:
    if isinstance(raw, datetime) and raw.tzinfo is not None:
        return raw
    raise _refuse(key, str(raw), "a date and time with its zone, such as 2021-05-24T08:00:00+08:00")


def _anything(raw: object, key: str) -> object:
    return raw


_SCALARS: dict[Any, Callable[[object, str], Any]] = {
    str: _text,
    Clause: _text,
    RoleWord: _text,
    int: _whole,
    Count: _positive,
    Cents: _positive,
    bool: _truth,
    Fraction: _odds,
    BetCode: _bet,
    datetime: _instant,
    object: _anything,
}


def read_record(kind: type[Record], raw: object, key: str = "") -> Record:
    """A record of `kind` out of a TOML table, or a Refusal that lists every problem in it."""
    value: Record = read_part(kind, raw, key)
    return value


def read_part(kind: Any, raw: object, key: str) -> Any:
    """The same for a part of a record, whose kind is one of its field's annotations."""
    scalar = _SCALARS.get(kind)
    if scalar is not None:
        return scalar(raw, key)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _one_of(args, raw, key)
    if origin in (Union, UnionType):
        return _or_silent(args, raw, key)
    if origin is tuple:
        return _sequence(args[0], raw, key)
    if origin is Mapping:
        return _mapping(args, raw, key)
    if is_dataclass(kind):
        return _record(kind, raw, key)
    raise AssertionError(f"no reader for {kind}")


def _one_of(words: tuple[Any, ...], raw: object, key: str) -> object:
    if any(raw == word and type(raw) is type(word) for word in words):
        return raw
    raise _refuse(key, raw, "one of " + ", ".join(map(str, words)))


def _or_silent(kinds: tuple[Any, ...], raw: object, key: str) -> Any:
    if raw == SILENT and isinstance(raw, str):
        return None
    return read_part(next(kind for kind in kinds if kind is not NoneType), raw, key)


def _sequence(kind: Any, raw: object, key: str) -> tuple[Any, ...]:
    if not isinstance(raw, list):
        raise _refuse(key, raw, "a list")
    return tuple(_gather(_Job(str(index), kind, item, f"{key}.{index}") for index, item in enumerate(raw)).values())


def _mapping(kinds: tuple[Any, ...], raw: object, key: str) -> dict[Any, Any]:
    if not isinstance(raw, dict):
        raise _refuse(key, raw, "a table")
    words, kind = kinds
    for word in raw:
        read_part(words, word, f"{key}.{word}")
    return _gather(_Job(word, kind, item, _join(key, word)) for word, item in raw.items())


def _record(kind: Any, raw: object, key: str) -> Any:
    if not isinstance(raw, dict):
        raise _refuse(key, raw, "a table")
    known = {field.name: field for field in fields(kind)}
    problems = [
        Problem(_join(key, name), "an unknown key", "one of " + ", ".join(known)) for name in raw if name not in known
    ]
    hints = _hints(kind)
    jobs = []
    for name, field in known.items():
        if name in raw:
            jobs.append(_Job(name, hints[name], raw[name], _join(key, name)))
        elif not _has_default(field):
            problems.append(Problem(_join(key, name), "nothing", _wanted(hints[name])))
    return kind(**_gather(jobs, problems))


@dataclass(frozen=True, slots=True)
class _Job:
    name: str
    kind: Any
    raw: object
    key: str


def _gather(jobs: Iterator[_Job] | list[_Job], problems: Sequence[Problem] = ()) -> dict[str, Any]:
    """Reads all of them before it refuses any, so that a person mends a pack in one go."""
    found, read = list(problems), {}
    for job in jobs:
        try:
            read[job.name] = read_part(job.kind, job.raw, job.key)
        except Refusal as refusal:
            found.extend(refusal.problems)
    if found:
        raise Refusal(found)
    return read


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _wanted(kind: Any) -> str:
    if get_origin(kind) in (Union, UnionType):
        return f'this key, or the word "{SILENT}" where the document says nothing'
    return "this key"


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def leaves(kind: Any, value: Any, key: str = "") -> Iterator[tuple[str, Any, Any]]:
    """(key, kind, value) of every scalar in a record: this is how cited clauses and role words are found."""
    origin, args, is_record = get_origin(kind), get_args(kind), is_dataclass(kind)
    if value is None:
        return
    if origin in (Union, UnionType):
        yield from leaves(next(each for each in args if each is not NoneType), value, key)
    elif origin is tuple:
        for index, item in enumerate(value):
            yield from leaves(args[0], item, f"{key}.{index}")
    elif origin is Mapping:
        for name, item in value.items():
            yield from leaves(args[1], item, _join(key, name))
    elif is_record:
        for name, hint in _hints(kind).items():
            yield from leaves(hint, getattr(value, name), _join(key, name))
    else:
        yield key, kind, value
