"""A finding code: severity, sentence template, meaning, and where a rule pack keeps its clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, get_args, get_type_hints

from compliance.core.web.ui.components import Tag, TagKind
from rounds.engine import Pack
from rounds.engine import pack as engine_pack


class Severity(StrEnum):
    SERIOUS = "serious"
    BREACH = "breach"
    NOTE = "note"

    @property
    def tag(self) -> Tag:
        return TAGS[self]


_TAG_KINDS: dict[Severity, TagKind] = {Severity.SERIOUS: "danger", Severity.BREACH: "warning", Severity.NOTE: "info"}
TAGS = {severity: Tag(severity.value.capitalize(), kind) for severity, kind in _TAG_KINDS.items()}


class Source(StrEnum):
    """What a check of this code must read."""

    ROUND = "one round"
    TIMELINE = "a table's timeline"
    FEED = "the feed"
    RECORDS = "people's records"


@dataclass(frozen=True)
class FindingCode:
    """One kind of finding.

    `sentence` is a template: `{what}` names the subject, `{required}` and `{found}` are the two amounts, times or
    numbers that disagree. `clause_key` is the dotted path of the clause in a rule pack. It is empty for the service's
    own duties, which no document prescribes. Settlement findings cite the clause of the settlement step that went
    wrong.
    """

    name: str
    severity: Severity
    source: Source
    sentence: str
    meaning: str
    clause_key: str = ""

    def format_sentence(self, **words: str) -> str:
        return self.sentence.format(**words)


def clauses_for(pack: Pack, code: FindingCode) -> tuple[str, ...]:
    """The clauses a pack has for a code, in the pack's order. Empty where the document is silent."""
    part: Any = pack
    for name in code.clause_key.split(".") if code.clause_key else ():
        part = part.get(name) if isinstance(part, Mapping) else getattr(part, name)
        if part is None:
            return ()
    return tuple(dict.fromkeys(_cited_clauses(part))) if code.clause_key else ()


def _cited_clauses(part: Any) -> Iterator[str]:
    """Every clause cited anywhere inside this part of a pack."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _cited_clauses(each) if not isinstance(each, str) else ()
    elif isinstance(part, tuple):
        for each in part:
            yield from _cited_clauses(each) if not isinstance(each, str) else ()
    elif is_dataclass(part) and not isinstance(part, type):
        for name, is_clause in _clause_fields(type(part)).items():
            value = getattr(part, name)
            if isinstance(value, str):
                yield from (value,) if is_clause else ()
            elif value is not None:
                yield from _cited_clauses(value)


@cache
def _clause_fields(part: type[Any]) -> Mapping[str, bool]:
    """Each field, and whether a string in it is a clause. Cached per class, because resolving type hints is slow."""
    hints = get_type_hints(part)
    return {
        field.name: engine_pack.Clause in (hints[field.name], *get_args(hints[field.name])) for field in fields(part)
    }
