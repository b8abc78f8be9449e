"""The packs a command works on, and rules by the name a person types: `nsw-sic-bo@1+even=every-even-total`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.packs import Pack, read_pack
from rounds.engine.readings import adopt, not_default
from rounds.engine.rules import Rules, choose_pay_table, rules_for
from rounds.engine.shelf import Shelf
from rounds.rulepacks import shipped_packs

NAME_FORM = "SLUG[@VERSION][/PAY_TABLE][+READING=CHOICE]…"
_NAME = re.compile(
    r"(?P<slug>[a-z0-9-]+)(@(?P<version>[^/+]+))?(/(?P<pay_table>[^+]+))?(?P<readings>(\+[a-z0-9-]+=[a-z0-9-]+)*)",
    re.ASCII,
)


def shelf_with(own: Sequence[Path]) -> Shelf:
    """The shipped packs, and beside them those of a person's own files."""
    return Shelf([*shipped_packs(), *map(read_own, own)]) if own else shipped_packs()


def read_own(path: Path) -> Pack:
    """A pack from a path that a person typed."""
    try:
        return read_pack(path)
    except OSError as error:
        problem = f"{path.name}: the file: found {(error.strerror or str(error)).lower()}, expected a pack to read"
        raise EngineError(ErrorCode.BAD_PACK, problem, (problem,)) from error


def packs_of(shelf: Shelf, slug: str | None) -> list[Pack]:
    """Every version of one rule slug, or everything."""
    found = [pack for pack in shelf if slug is None or pack.slug == slug]
    if not found:
        # The shelf says which there are.
        shelf.find(slug)
    return found


@dataclass(frozen=True, slots=True)
class NamedRules:
    """A pack under chosen readings. `pay_table` None: all of its pay tables are meant."""

    pack: Pack
    pay_table: str | None
    readings: dict[str, str]

    @property
    def pay_tables(self) -> tuple[str, ...]:
        return tuple(self.pack.law.pay_table) if self.pay_table is None else (self.pay_table,)

    @property
    def departures(self) -> dict[str, str]:
        """The choices that are not defaults."""
        return not_default(self.pack, adopt(self.pack, self.readings))

    def __str__(self) -> str:
        table = "" if self.pay_table is None else f"/{self.pay_table}"
        return self.pack.name + table + "".join(f"+{name}={choice}" for name, choice in self.departures.items())

    def under(self, pay_table: str) -> Rules:
        return rules_for(self.pack, pay_table, self.readings)


def rules_named(shelf: Shelf, name: str) -> NamedRules:
    parts = _NAME.fullmatch(name)
    if parts is None:
        raise EngineError(ErrorCode.UNKNOWN_RULES, f"{name[:80]!r} does not name rules: expected {NAME_FORM}")
    pack = shelf.find(parts["slug"], parts["version"])
    chosen = [each.partition("=") for each in parts["readings"].split("+")[1:]]
    if len({reading for reading, _, _ in chosen}) < len(chosen):
        raise EngineError(ErrorCode.UNKNOWN_READING, f"{name[:80]!r} names a reading twice: expected each once")
    readings = {reading: choice for reading, _, choice in chosen}
    adopt(pack, readings)
    table = parts["pay_table"]
    return NamedRules(pack, table if table is None else choose_pay_table(pack, table), readings)
