"""The shipped packs as TOML tables, and a pack with one change: parsed and validated in memory."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from rounds.engine.pack.pack_file import Pack, PackFile, parse_toml
from rounds.engine.pack.toml_schema import PackRefused, read_value
from rounds.engine.pack.validate_pack import find_pack_problems, find_problems_outside_law
from rounds.rulepacks import PACK_FOLDER, shipped_packs
from tests.mutants.mutations import Mutant, mutants_of, type_hints


@cache
def pack_table(slug: str) -> dict[str, Any]:
    return parse_toml((PACK_FOLDER / f"{slug}.toml").read_bytes())


@cache
def pack_mutants(slug: str) -> tuple[Mutant, ...]:
    return tuple(mutants_of(pack_table(slug)))


def load_mutated(slug: str, mutant: Mutant) -> Pack | None:
    """The changed pack, or None if it is not valid. Only the changed section is parsed; caches of the others hold."""
    table = mutant.apply(pack_table(slug))
    section = str(mutant.path[0])
    try:
        read = read_value(type_hints(PackFile)[section], table[section], section)
    except (PackRefused, KeyError):
        return None
    pack = replace(shipped_packs().find(slug), **{section: read}, law_table=table["law"])
    problems = find_pack_problems if section in ("law", "readings") else find_problems_outside_law
    return pack if next(problems(pack), None) is None else None
