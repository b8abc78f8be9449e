"""Every single change of a pack: each value is replaced by another of its type, and each list or table entry removed.

Texts for people (`PROSE`) are not changed, nor is a subject on which the document is silent given a rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from rounds.engine.bets.bet_codes import BET_CODES
from rounds.engine.bets.odds_notation import parse_odds
from rounds.engine.pack.pack_file import PackFile
from rounds.engine.pack.payout_law import Law
from rounds.engine.pack.toml_schema import SILENT
from rounds.engine.pack.vocabulary import BetCode, Cents, Clause, Count, RoleWord

Path: TypeAlias = tuple[str | int, ...]

REMOVED = object()
"""The new value of an entry that is removed from its list or table."""

# Class and field of every text that only people read. Any other text refers to something, or is compared with facts.
PROSE = frozenset(
    {
        "PackFile.title",
        "PackFile.effective_as_printed",
        "DocumentRole.note",
        "Evidence.missing",
        "Evidence.note",
        "ClauseEntry.gist",
        "ClauseEntry.not_automated_because",
        "Reading.explains",
        "ReadingChoice.explains",
        "ProcedureChoice.question",
        "ProcedureChoice.chosen",
        "ProcedureChoice.otherwise",
        "WagerType.name",
        "WagerType.to_be_confirmed",
        "PayTable.layout",
        "StreakRules.name",
        "VoidReason.note",
        "InspectionDuty.proves",
        "Disputes.covers",
        "DisputeAdvice.told_of",
        "DisputeAdvice.law",
        "PromotionDispute.told_of",
        "PromotionDispute.law",
    }
)


@dataclass(frozen=True)
class Mutant:
    """One change. `schema` is the path with `*` in place of list positions and of the names of table entries."""

    path: Path
    schema: str
    change: str
    value: Any

    @property
    def name(self) -> str:
        return format_path(self.path)

    def apply(self, table: dict[str, Any]) -> dict[str, Any]:
        """A copy of the table with this change. What is not on the path is shared with the original."""
        changed: dict[str, Any] = _replaced(table, self.path, self.value)
        return changed


@dataclass(frozen=True)
class _Place:
    """Where a value is: its path, the same as a pattern, and the class and field whose type it has."""

    path: Path
    schema: tuple[str, ...]
    field: str

    def entry(self, key: str | int) -> _Place:
        """An entry of this list or table."""
        return _Place((*self.path, key), (*self.schema, "*"), self.field)

    def field_of(self, kind: type, name: str) -> _Place:
        return _Place((*self.path, name), (*self.schema, name), f"{kind.__name__}.{name}")

    def mutant(self, change: str, value: object) -> Mutant:
        return Mutant(self.path, ".".join(self.schema), change, value)


def format_path(path: Path) -> str:
    return ".".join(f'"{key}"' if "." in str(key) else str(key) for key in path)


def mutants_of(table: dict[str, Any]) -> list[Mutant]:
    """Every change of the pack in this TOML table, always in the same order."""
    return list(_Mutator(table).record(PackFile, table, _Place((), (), "")))


def _replaced(raw: Any, path: Path, value: object) -> Any:
    if not path:
        return value
    changed: Any = list(raw) if isinstance(raw, list) else dict(raw)
    key: Any = path[0]
    if len(path) == 1 and value is REMOVED:
        del changed[key]
    else:
        changed[key] = _replaced(raw[key] if len(path) > 1 else None, path[1:], value)
    return changed


class _Mutator:
    """Walks the schema and a pack's table together."""

    def __init__(self, table: dict[str, Any]) -> None:
        self._others: dict[Any, list[str]] = {
            Clause: list(table["clauses"]),
            RoleWord: list(table["roles"]),
            BetCode: list(BET_CODES),
        }
        self._texts: dict[str, list[str]] = defaultdict(list)
        _collect_texts(table, "", self._texts)

    def record(self, kind: Any, raw: dict[str, Any], at: _Place) -> Iterator[Mutant]:
        for name, hint in type_hints(kind).items():
            if name in raw:
                yield from self.value(hint, raw[name], at.field_of(kind, name))

    def value(self, kind: Any, raw: Any, at: _Place) -> Iterator[Mutant]:
        origin, args = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            yield from self._optional(next(each for each in args if each is not NoneType), raw, at)
        elif origin is tuple:
            yield from self._entries(args[0], dict(enumerate(raw)), at)
        elif origin is Mapping and args[1] is object:
            yield from self._changed_keys(raw, at)
        elif origin is Mapping:
            yield from self._entries(args[1], raw, at)
        elif is_dataclass(kind):
            yield from self.record(kind, raw, at)
        else:
            for other in self._other_values(kind, raw, at.field):
                yield at.mutant(f"{raw} → {other}", other)

    def _optional(self, kind: Any, raw: Any, at: _Place) -> Iterator[Mutant]:
        if raw != SILENT:
            yield from self.value(kind, raw, at)
            if at.field not in PROSE:
                yield at.mutant("made silent", SILENT)
        elif kind in self._others:
            other = self._others[kind][0]
            yield at.mutant(f"{SILENT} → {other}", other)

    def _entries(self, kind: Any, entries: Mapping[Any, Any], at: _Place) -> Iterator[Mutant]:
        if at.field in PROSE:
            return
        for key, raw in entries.items():
            entry = at.entry(key)
            yield from self.value(kind, raw, entry)
            yield entry.mutant(f"{raw} removed" if isinstance(raw, str) else "removed", REMOVED)

    def _changed_keys(self, raw: dict[str, Any], at: _Place) -> Iterator[Mutant]:
        """The keys of the law that a reading sets: each value has the type that the key has in the law."""
        for key, value in raw.items():
            entry = at.entry(key)
            yield from self.value(_kind_in_law(key), value, entry)
            yield entry.mutant("removed", REMOVED)

    def _other_values(self, kind: Any, raw: Any, field: str) -> Iterator[object]:
        if kind is bool:
            yield not raw
        elif kind in (int, Count, Cents):
            yield from (raw + 1, raw - 1)
        elif kind is Fraction:
            odds = parse_odds(raw)
            yield from (f"{odds.numerator + step} to {odds.denominator}" for step in (1, -1))
        elif kind is datetime:
            yield raw + timedelta(minutes=1)
        elif get_origin(kind) is Literal:
            yield _next_of(get_args(kind), raw)
        elif kind in self._others:
            yield _next_of(self._others[kind], raw)
        elif field not in PROSE:
            yield _next_of(self._texts[field.partition(".")[2]], raw)


def _kind_in_law(key: str) -> Any:
    """The type of a dotted key of `[law]`."""
    kind: Any = Law
    for name in key.split("."):
        if get_origin(kind) in (Union, UnionType):
            kind = next(each for each in get_args(kind) if each is not NoneType)
        kind = get_args(kind)[1] if get_origin(kind) is Mapping else type_hints(kind)[name]
    return kind


def _collect_texts(raw: Any, name: str, texts: dict[str, list[str]]) -> None:
    """Every different text of the pack by the name of its key, so that one can be replaced by another of its sort."""
    if isinstance(raw, dict):
        for key, value in raw.items():
            _collect_texts(value, key, texts)
    elif isinstance(raw, list):
        for value in raw:
            _collect_texts(value, name, texts)
    elif isinstance(raw, str) and raw not in texts[name]:
        texts[name].append(raw)


def _next_of(words: Any, word: Any) -> Any:
    """Another of these words. Where there is only one, something else, which validation has to refuse."""
    others = [other for other in words if other != word]
    if not others:
        return f"not {word}"
    return words[(list(words).index(word) + 1) % len(words)]


@cache
def type_hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
