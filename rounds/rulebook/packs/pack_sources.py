"""The packs that a command works on, and rules by name, such as `nsw-sic-bo@1+even=every-even-total`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rounds.engine import EngineError, Pack, PackCollection, Rules, adopt_readings, compile_rules, errors
from rounds.engine import pack as engine_pack
from rounds.rulepacks import shipped_packs

RULES_NAME_SYNTAX = "SLUG[@VERSION][/PAY_TABLE][+READING=CHOICE]…"
_NAME = re.compile(
    r"(?P<slug>[a-z0-9-]+)(@(?P<version>[^/+]+))?(/(?P<pay_table>[^+]+))?(?P<readings>(\+[a-z0-9-]+=[a-z0-9-]+)*)",
    re.ASCII,
)


def collect_packs(own: Sequence[Path]) -> PackCollection:
    """The shipped packs and the packs in these files."""
    return PackCollection([*shipped_packs(), *map(load_own_pack, own)]) if own else shipped_packs()


def load_own_pack(path: Path) -> Pack:
    """A pack from a path given on the command line. A file that cannot be read raises EngineError, too."""
    try:
        return engine_pack.load_pack_file(path)
    except OSError as error:
        problem = f"{path.name}: the file: found {(error.strerror or str(error)).lower()}, expected a pack to read"
        raise EngineError(errors.ErrorCode.BAD_PACK, problem, (problem,)) from error


def packs_with_slug(collection: PackCollection, slug: str | None) -> list[Pack]:
    """Every version of one rule slug, or every pack if `slug` is None."""
    found = [pack for pack in collection if slug is None or pack.slug == slug]
    if not found:
        # Raises an error that lists the known slugs.
        collection.find(slug)
    return found


@dataclass(frozen=True, slots=True)
class NamedRules:
    """A pack under chosen readings. `pay_table` None: all pay tables."""

    pack: Pack
    pay_table: str | None
    readings: dict[str, str]

    @property
    def pay_tables(self) -> tuple[str, ...]:
        return tuple(self.pack.law.pay_table) if self.pay_table is None else (self.pay_table,)

    @property
    def changed_readings(self) -> dict[str, str]:
        """The non-default choices."""
        return engine_pack.non_default_readings(self.pack, adopt_readings(self.pack, self.readings))

    def __str__(self) -> str:
        table = "" if self.pay_table is None else f"/{self.pay_table}"
        return self.pack.name + table + "".join(f"+{name}={choice}" for name, choice in self.changed_readings.items())

    def compile_for(self, pay_table: str) -> Rules:
        return compile_rules(self.pack, pay_table, self.readings)


def parse_rules_name(collection: PackCollection, name: str) -> NamedRules:
    parts = _NAME.fullmatch(name)
    if parts is None:
        raise EngineError(
            errors.ErrorCode.UNKNOWN_RULES, f"{name[:80]!r} does not name rules: expected {RULES_NAME_SYNTAX}"
        )
    pack = collection.find(parts["slug"], parts["version"])
    chosen = [each.partition("=") for each in parts["readings"].split("+")[1:]]
    if len({reading for reading, _, _ in chosen}) < len(chosen):
        raise EngineError(errors.ErrorCode.UNKNOWN_READING, f"{name[:80]!r} names a reading twice: expected each once")
    readings = {reading: choice for reading, _, choice in chosen}
    # Validates the readings; the result is not needed.
    adopt_readings(pack, readings)
    table = parts["pay_table"]
    return NamedRules(pack, table if table is None else engine_pack.choose_pay_table(pack, table), readings)
