"""Which violation cases read which values of a pack, so that a changed value is tried only against cases that read it.

A case that does not read a value gives the same findings after a change of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from compliance.audit.run.violation_cases import failures_of_case
from rounds.engine.pack.pack_file import Pack
from rounds.rulepacks import shipped_packs
from rounds.rulepacks.violation_cases import ViolationCase, violation_cases
from tests.mutants.mutations import Path

# What the engine compiles from the law is cached, so that only the first case would read it.
TRACED_SECTIONS = ("roles", "conduct", "duties")
TRACE = "_trace"


def cases_that_read(slug: str, path: Path) -> tuple[ViolationCase, ...]:
    """The violation cases of a pack that read the value at this path: all of them for a section that is not traced."""
    cases = violation_cases(slug)
    if path[0] not in TRACED_SECTIONS:
        return cases
    field = _field_at(shipped_packs().find(slug), path)
    return tuple(case for case in cases if field in _reads_by_case(slug)[case])


def _field_at(pack: Pack, path: Path) -> Path:
    """The path of the field that holds this value: of a list or table, the field that has it."""
    found, value = path[:1], getattr(pack, str(path[0]))
    for place, key in enumerate(path[1:], start=2):
        if is_dataclass(value):
            found, value = path[:place], getattr(value, str(key))
        else:
            value = value[key]
    return found


@cache
def _reads_by_case(slug: str) -> Mapping[ViolationCase, frozenset[Path]]:
    shipped, reads = shipped_packs().find(slug), set[Path]()
    sections = {name: _traced(getattr(shipped, name), (name,), reads) for name in TRACED_SECTIONS}
    pack, found = replace(shipped, **sections), {}
    for case in violation_cases(slug):
        reads.clear()
        assert list(failures_of_case(case, pack)) == []
        # Each section itself is read by every case.
        found[case] = frozenset({*reads, *((name,) for name in TRACED_SECTIONS)})
    return found


def _traced(value: Any, path: Path, reads: set[Path]) -> Any:
    """A copy of the value whose records add the paths of the fields that are read to `reads`."""
    if isinstance(value, Mapping):
        return {key: _traced(each, (*path, key), reads) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(_traced(each, (*path, place), reads) for place, each in enumerate(value))
    if not is_dataclass(value):
        return value
    kind: Any = type(value)
    copy = object.__new__(_traced_class(kind))
    for each in fields(value):
        object.__setattr__(copy, each.name, _traced(getattr(value, each.name), (*path, each.name), reads))
    object.__setattr__(copy, TRACE, (path, reads))
    return copy


@cache
def _traced_class(kind: type[Any]) -> type[Any]:
    names = frozenset(each.name for each in fields(kind))

    def read(self: Any, name: str) -> Any:
        if name in names:
            path, reads = object.__getattribute__(self, TRACE)
            reads.add((*path, name))
        return object.__getattribute__(self, name)

    return type(kind.__name__, (kind,), {"__getattribute__": read})
