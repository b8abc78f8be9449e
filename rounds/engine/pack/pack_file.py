"""A rule pack: one rule document as data. Loaded from bytes, validated and immutable."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.payout_law import Law
from rounds.engine.pack.round_conduct import Conduct
from rounds.engine.pack.table_duties import Duties
from rounds.engine.pack.toml_schema import PackRefused, Problem, read_record
from rounds.engine.pack.vocabulary import Clause, ProductRole

# Keys cannot span lines, so this bounds the depth of a key. Shipped packs have at most nine dots in a line.
MAX_DOTS_PER_LINE = 40


@dataclass(frozen=True, slots=True)
class DocumentRole:
    """The product roles behind one of the document's words for people. Empty `means`: floor staff or the patron.

    `outranked_by`: the roles above, for a duty that the document gives to this person "or above"."""

    means: tuple[ProductRole, ...]
    is_government: bool
    clause: Clause | None = None
    note: str = ""
    outranked_by: tuple[ProductRole, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Whether the source text is complete. `missing` names lost diagrams, missing dates and unattributed texts."""

    is_complete: bool
    missing: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class ClauseEntry:
    """One clause: a summary in our own words, its classes, and what implements it (`bind`).

    Classes: S decides a settlement, P is a procedure, D is something to record or display, I is physical or
    informational.
    """

    gist: str
    classes: tuple[Literal["S", "P", "D", "I"], ...]
    bind: tuple[str, ...] = ()
    not_automated_because: str = ""


@dataclass(frozen=True, slots=True)
class ReadingChoice:
    """One way to read an ambiguous clause. `sets` maps dotted keys of the law to their values under this choice."""

    explains: str
    sets: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """An ambiguity that changes what a result pays. The law as written in the pack is the default choice."""

    clause: Clause
    item: str
    default: str
    explains: str
    choices: Mapping[str, ReadingChoice]


@dataclass(frozen=True, slots=True)
class ProcedureChoice:
    """An ambiguous procedure and the interpretation chosen. Documentation, shown next to its clauses."""

    item: str
    clauses: tuple[Clause, ...]
    question: str
    chosen: str
    otherwise: str = ""


@dataclass(frozen=True, eq=False)
class PackFile:
    """The content of a pack file. `effective_at` None: undated document; the approver gives a time and evidence."""

    format: Literal[1]
    slug: str
    version: str
    title: str
    source_sha256: str
    time_zone: str | None
    effective_at: datetime | None
    effective_as_printed: str | None
    evidence: Evidence
    roles: Mapping[str, DocumentRole]
    law: Law
    conduct: Conduct
    duties: Duties
    readings: Mapping[str, Reading]
    procedures: tuple[ProcedureChoice, ...]
    clauses: Mapping[str, ClauseEntry]


@dataclass(frozen=True, eq=False)
class Pack(PackFile):
    """A validated pack, with the digest of its bytes and the raw `[law]` table that readings are applied to."""

    pack_sha256: str
    law_table: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        return f"{self.slug}@{self.version}"


def load_pack(content: bytes, file: str) -> Pack:
    """Parses and validates a pack. The error lists every problem with `file`, key, what was found and expected."""
    read = parse_pack(content)
    if isinstance(read, Pack):
        return read
    lines = tuple(f"{file}: {problem}" for problem in read)
    raise EngineError(ErrorCode.BAD_PACK, "\n".join(lines), lines)


# Cached: validation takes about a second of CPU time, and the same few packs are loaded repeatedly.
@lru_cache(maxsize=16)
def parse_pack(content: bytes) -> Pack | tuple[Problem, ...]:
    """The validated pack in these bytes, or every problem found in it."""
    # Imported here to avoid an import cycle: the validator imports this module.
    from rounds.engine.pack.validate_pack import find_pack_problems

    try:
        table = parse_toml(content)
        read = read_record(PackFile, table)
        pack = Pack(
            **{each.name: getattr(read, each.name) for each in fields(PackFile)},
            pack_sha256=hashlib.sha256(content).hexdigest(),
            law_table=table["law"],
        )
        return tuple(find_pack_problems(pack)) or pack
    except PackRefused as refusal:
        return tuple(refusal.problems)


def load_pack_file(path: Path) -> Pack:
    return load_pack(path.read_bytes(), path.name)


def _check_key_depth(text: str) -> None:
    """Refuses very deep dotted keys. tomllib needs memory quadratic in the depth: 100 kB of dots take gigabytes."""
    if any(line.count(".") > MAX_DOTS_PER_LINE for line in text.split("\n")):
        raise ValueError(f"a line with more than {MAX_DOTS_PER_LINE} dots")


def parse_toml(content: bytes) -> dict[str, Any]:
    try:
        text = content.decode("utf-8")
        _check_key_depth(text)
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise PackRefused([Problem("the file", str(error)[:120], "UTF-8 text in TOML")]) from error
