"""Every time in a line, found by its schema: none of any kind may lie further ahead of our clock than a day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import inspect

from rounds.intake.kinds.lines import Line
from rounds.intake.kinds.problems import Malformed

FURTHEST_AHEAD = timedelta(days=1)
SENTENCE = "The time lies more than a day ahead of ours."
SEVERAL = (inspect.VarTupleType, inspect.TupleType, inspect.ListType)


@dataclass(frozen=True)
class Part:
    """A member that holds structures with times of their own: one of them, or several."""

    name: str
    struct: type[msgspec.Struct]
    is_several: bool
    get: Callable[[Any], Any]

    def of_all(self, wholes: Sequence[Any]) -> list[Any]:
        held = filter(None, map(self.get, wholes))
        return [each for row in held for each in row] if self.is_several else list(held)


@dataclass(frozen=True)
class Times:
    """Where the times of a structure are."""

    own: Mapping[str, Callable[[Any], datetime | None]]
    parts: tuple[Part, ...]


@cache
def times_in(struct: type[msgspec.Struct]) -> Times:
    shape = inspect.type_info(struct)
    assert isinstance(shape, inspect.StructType)
    own, parts = dict[str, Callable[[Any], datetime | None]](), []
    for member in shape.fields:
        for kind, is_several in _kinds_of(member.type):
            if isinstance(kind, inspect.DateTimeType):
                own[member.name] = attrgetter(member.name)
            elif isinstance(kind, inspect.StructType) and _has_any(times_in(kind.cls)):
                parts.append(Part(member.name, kind.cls, is_several, attrgetter(member.name)))
    return Times(own, tuple(parts))


def _kinds_of(kind: inspect.Type, *, is_several: bool = False) -> Iterator[tuple[inspect.Type, bool]]:
    """What a member may hold, without `None`; of a row of things, the things."""
    if isinstance(kind, inspect.Metadata):
        yield from _kinds_of(kind.type, is_several=is_several)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _kinds_of(each, is_several=is_several)
    elif isinstance(kind, SEVERAL):
        for each in kind.item_types if isinstance(kind, inspect.TupleType) else (kind.item_type,):
            yield from _kinds_of(each, is_several=True)
    else:
        yield kind, is_several


def _has_any(times: Times) -> bool:
    return bool(times.own or times.parts)


def check_instants(line: Line, now: datetime) -> None:
    """Refuses a line that says when something happened, or will, further ahead than our clocks can differ."""
    last = now + FURTHEST_AHEAD
    if line.at > last:
        raise Malformed("too-far-ahead", SENTENCE, "/at")
    if _latest(type(line.body), (line.body,), line.at) > last:
        raise Malformed("too-far-ahead", SENTENCE, next(_ahead(line.body, last, "/body")))


def _latest(struct: type[msgspec.Struct], wholes: Sequence[Any], latest: datetime) -> datetime:
    """Of many structures at once, member by member: a round has dozens of times, and every line comes by here."""
    times = times_in(struct)
    for get in times.own.values():
        latest = max(latest, max(filter(None, map(get, wholes)), default=latest))
    for part in times.parts:
        held = part.of_all(wholes)
        if held:
            latest = _latest(part.struct, held, latest)
    return latest


def _ahead(whole: msgspec.Struct, last: datetime, field: str) -> Iterator[str]:
    """Pointers to what lies too far ahead."""
    times = times_in(type(whole))
    for name, get in times.own.items():
        instant = get(whole)
        if instant is not None and instant > last:
            yield f"{field}/{name}"
    for part in times.parts:
        for place, each in enumerate(part.of_all([whole])):
            yield from _ahead(each, last, f"{field}/{part.name}/{place}" if part.is_several else f"{field}/{part.name}")
