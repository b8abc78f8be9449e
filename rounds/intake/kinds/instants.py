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

from rounds.intake.kinds.lines import Line
from rounds.intake.kinds.problems import Malformed

FURTHEST_AHEAD = timedelta(days=1)
SENTENCE = "The time lies more than a day ahead of ours."
SEVERAL = (inspect.VarTupleType, inspect.TupleType, inspect.ListType)


@dataclass(frozen=True)
class Part:
    """A member that holds structures with times of their own: one of them, or several."""

    name: str
    get: Callable[[Any], Any]
    is_several: bool
    times: Times

    def of_all(self, wholes: Sequence[Any]) -> list[Any]:
        held = filter(None, map(self.get, wholes))
        return list(chain.from_iterable(held) if self.is_several else held)


@dataclass(frozen=True)
class Times:
    """Where the times of a structure are: members that are one, and members that hold some."""

    own: tuple[tuple[str, Callable[[Any], datetime | None]], ...]
    parts: tuple[Part, ...]


@cache
def times_in(struct: type[msgspec.Struct]) -> Times:
    shape = inspect.type_info(struct)
    assert isinstance(shape, inspect.StructType)
    own, parts = [], []
    for member in shape.fields:
        get = attrgetter(member.name)
        for kind, is_several in _kinds_of(member.type):
            if isinstance(kind, inspect.DateTimeType):
                own.append((member.name, get))
            elif isinstance(kind, inspect.StructType) and _has_any(times := times_in(kind.cls)):
                parts.append(Part(member.name, get, is_several, times))
    return Times(tuple(own), tuple(parts))


def _kinds_of(kind: inspect.Type, *, is_several: bool = False) -> Iterator[tuple[inspect.Type, bool]]:
    """What a member may hold, without `None`; of a row of things, the things. What is announced lies ahead rightly."""
    if isinstance(kind, inspect.Metadata) and kind.extra and kind.extra.get("announced"):
        return
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
    """Refuses a line that says when something happened, or will, further ahead than clocks can differ."""
    last = now + FURTHEST_AHEAD
    if line.at > last:
        raise Malformed("too-far-ahead", SENTENCE, "/at")
    body: msgspec.Struct = line.body
    instants = _instants(times_in(type(body)), (body,))
    if instants and max(instants) > last:
        raise Malformed("too-far-ahead", SENTENCE, next(_ahead(body, last, "/body")))


def _instants(times: Times, wholes: Sequence[Any]) -> list[datetime]:
    """Of many structures at once, member by member: a round has dozens of times, and every line comes by here."""
    found: list[datetime] = []
    for _, get in times.own:
        found += filter(None, map(get, wholes))
    for part in times.parts:
        held = part.of_all(wholes)
        if held:
            found += _instants(part.times, held)
    return found


def _ahead(whole: msgspec.Struct, last: datetime, field: str) -> Iterator[str]:
    """Pointers to what lies too far ahead."""
    times = times_in(type(whole))
    for name, get in times.own:
        instant = get(whole)
        if instant is not None and instant > last:
            yield f"{field}/{name}"
    for part in times.parts:
        for place, each in enumerate(part.of_all([whole])):
            yield from _ahead(each, last, f"{field}/{part.name}/{place}" if part.is_several else f"{field}/{part.name}")
