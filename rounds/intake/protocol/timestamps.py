"""Every time in a line, found by its schema: none may lie over a day ahead of our clock, unless a sign announces it."""

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
    """A member that holds structures with times of their own: one of them, or several."""

    name: str
    get: Callable[[Any], Any]
    is_several: bool
    times: TimestampFields

    def collect_from(self, wholes: Sequence[Any]) -> list[Any]:
        held = filter(None, map(self.get, wholes))
        return list(chain.from_iterable(held) if self.is_several else held)


@dataclass(frozen=True)
class TimestampFields:
    """Where the times of a structure are: members that are one, and members that hold some."""

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
    """What a member may hold, without `None`; of a row of things, the things. What is announced lies ahead rightly."""
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
    """Refuses a line that says when something happened, or will, further ahead than clocks can differ."""
    last = now + MAX_AHEAD
    if line.at > last:
        raise MalformedLine("too-far-ahead", TOO_FAR_AHEAD, "/at")
    body: msgspec.Struct = line.body
    instants = _collect_timestamps(timestamp_fields(type(body)), (body,))
    if instants and max(instants) > last:
        raise MalformedLine("too-far-ahead", TOO_FAR_AHEAD, next(_pointers_too_far_ahead(body, last, "/body")))


def _collect_timestamps(times: TimestampFields, wholes: Sequence[Any]) -> list[datetime]:
    """Of many structures at once, member by member: a round has dozens of times, and every line comes by here."""
    found: list[datetime] = []
    for _, get in times.own:
        found += filter(None, map(get, wholes))
    for part in times.parts:
        held = part.collect_from(wholes)
        if held:
            found += _collect_timestamps(part.times, held)
    return found


def _pointers_too_far_ahead(whole: msgspec.Struct, last: datetime, field: str) -> Iterator[str]:
    """Pointers to what lies too far ahead."""
    times = timestamp_fields(type(whole))
    for name, get in times.own:
        instant = get(whole)
        if instant is not None and instant > last:
            yield f"{field}/{name}"
    for part in times.parts:
        for place, each in enumerate(part.collect_from([whole])):
            yield from _pointers_too_far_ahead(
                each, last, f"{field}/{part.name}/{place}" if part.is_several else f"{field}/{part.name}"
            )
