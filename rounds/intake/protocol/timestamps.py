"""Refuses times more than a day in the future, in any field of a line. The fields are found from the schema.

Times that a sign announces (`Announced`) are exempt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import inspect

from rounds.intake.protocol.envelope import Line
from rounds.intake.protocol.errors import MalformedLine

MAX_AHEAD = timedelta(days=1)
TOO_FAR_AHEAD = "The time lies more than a day ahead of ours."
SEQUENCE_TYPES = (inspect.VarTupleType, inspect.TupleType, inspect.ListType)


@dataclass(frozen=True)
class NestedMember:
    """A member that holds one struct, or a sequence of structs, with timestamps of their own."""

    name: str
    get: Callable[[Any], Any]
    is_several: bool
    times: TimestampFields

    def collect_from(self, wholes: Sequence[Any]) -> list[Any]:
        held = filter(None, map(self.get, wholes))
        return list(chain.from_iterable(held) if self.is_several else held)


@dataclass(frozen=True)
class TimestampFields:
    """The timestamps of a struct: `own` are its datetime members, `parts` its nested structs with timestamps."""

    own: tuple[tuple[str, Callable[[Any], datetime | None]], ...]
    parts: tuple[NestedMember, ...]


@cache
def timestamp_fields(struct: type[msgspec.Struct]) -> TimestampFields:
    shape = inspect.type_info(struct)
    assert isinstance(shape, inspect.StructType)
    own, parts = [], []
    for member in shape.fields:
        get = attrgetter(member.name)
        for kind, is_several in _member_types(member.type):
            if isinstance(kind, inspect.DateTimeType):
                own.append((member.name, get))
            elif isinstance(kind, inspect.StructType) and _has_timestamps(times := timestamp_fields(kind.cls)):
                parts.append(NestedMember(member.name, get, is_several, times))
    return TimestampFields(tuple(own), tuple(parts))


def _member_types(kind: inspect.Type, *, is_several: bool = False) -> Iterator[tuple[inspect.Type, bool]]:
    """(type, whether in a sequence) for each type that a member can hold. Skips announced times."""
    if isinstance(kind, inspect.Metadata) and kind.extra and kind.extra.get("announced"):
        return
    if isinstance(kind, inspect.Metadata):
        yield from _member_types(kind.type, is_several=is_several)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _member_types(each, is_several=is_several)
    elif isinstance(kind, SEQUENCE_TYPES):
        for each in kind.item_types if isinstance(kind, inspect.TupleType) else (kind.item_type,):
            yield from _member_types(each, is_several=True)
    else:
        yield kind, is_several


def _has_timestamps(times: TimestampFields) -> bool:
    return bool(times.own or times.parts)


def check_timestamps(line: Line, now: datetime) -> None:
    """Raises MalformedLine if any time is further ahead than MAX_AHEAD, which is more than clocks can differ."""
    last = now + MAX_AHEAD
    if line.at > last:
        raise MalformedLine("too-far-ahead", TOO_FAR_AHEAD, "/at")
    body: msgspec.Struct = line.body
    instants = _collect_timestamps(timestamp_fields(type(body)), (body,))
    if instants and max(instants) > last:
        raise MalformedLine("too-far-ahead", TOO_FAR_AHEAD, next(_pointers_too_far_ahead(body, last, "/body")))


def _collect_timestamps(times: TimestampFields, wholes: Sequence[Any]) -> list[datetime]:
    """Collects the timestamps of many structs, member by member. Optimised: a round has dozens, and every line is
    checked."""
    found: list[datetime] = []
    for _, get in times.own:
        found += filter(None, map(get, wholes))
    for part in times.parts:
        held = part.collect_from(wholes)
        if held:
            found += _collect_timestamps(part.times, held)
    return found


def _pointers_too_far_ahead(whole: msgspec.Struct, last: datetime, field: str) -> Iterator[str]:
    """Yields JSON Pointers to the times that are too far ahead."""
    times = timestamp_fields(type(whole))
    for name, get in times.own:
        instant = get(whole)
        if instant is not None and instant > last:
            yield f"{field}/{name}"
    for part in times.parts:
        for index, each in enumerate(part.collect_from([whole])):
            yield from _pointers_too_far_ahead(
                each, last, f"{field}/{part.name}/{index}" if part.is_several else f"{field}/{part.name}"
            )
