"""Readings of ambiguous clauses: each choice sets keys of the law, which is then parsed again like any pack."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias, get_type_hints

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.pack_file import Pack
from rounds.engine.pack.payout_law import Law
from rounds.engine.pack.toml_schema import read_value

AdoptedReadings: TypeAlias = tuple[tuple[str, str], ...]
"""One (reading, choice) for each reading of a pack, in the pack's order."""


def adopt_readings(pack: Pack, chosen: Mapping[str, str]) -> AdoptedReadings:
    """Every reading of the pack with its chosen or default choice. Unknown readings and choices are refused."""
    for name, choice in chosen.items():
        reading = pack.readings.get(name) if isinstance(name, str) else None
        if reading is None:
            raise EngineError(
                ErrorCode.UNKNOWN_READING,
                f"{pack.name} has no reading {name!r}: expected one of {', '.join(pack.readings) or 'none'}",
            )
        if not isinstance(choice, str) or choice not in reading.choices:
            raise EngineError(
                ErrorCode.UNKNOWN_READING,
                f"reading {name} has no choice {choice!r}: expected one of {', '.join(reading.choices)}",
            )
    return tuple((name, chosen.get(name, reading.default)) for name, reading in pack.readings.items())


def non_default_readings(pack: Pack, adopted: AdoptedReadings) -> dict[str, str]:
    return {name: choice for name, choice in adopted if choice != pack.readings[name].default}


def replace_choice(adopted: AdoptedReadings, reading: str, choice: str) -> AdoptedReadings:
    return tuple((name, choice if name == reading else current) for name, current in adopted)


def non_default_choices(pack: Pack) -> list[tuple[str, str]]:
    """(reading, choice) for every choice that is not the default of its reading."""
    return [
        (name, choice)
        for name, reading in pack.readings.items()
        for choice in reading.choices
        if choice != reading.default
    ]


@lru_cache(maxsize=4096)
def apply_readings(pack: Pack, adopted: AdoptedReadings) -> Law:
    """The law with every adopted choice applied. Choices of different readings never set the same key."""
    changes = {
        key: value for name, choice in adopted for key, value in pack.readings[name].choices[choice].sets.items()
    }
    if not changes:
        return pack.law
    # Only the changed sections are parsed again; the others stay the same objects, so caches keyed by them still hit.
    touched = {key.partition(".")[0] for key in changes}
    table = {section: deepcopy(pack.law_table[section]) for section in touched}
    for key, value in changes.items():
        set_dotted_key(table, key, value)
    kinds = get_type_hints(Law)
    return replace(pack.law, **{each: read_value(kinds[each], table[each], f"law.{each}") for each in touched})


def set_dotted_key(table: dict[str, Any], key: str, value: object) -> bool:
    """Sets a dotted key in place. False if its parent table does not exist or the value is unchanged."""
    *parents, last = key.split(".")
    for name in parents:
        table = table.get(name)  # type: ignore[assignment]
        if not isinstance(table, dict):
            return False
    if last in table and table[last] == value and type(table[last]) is type(value):
        return False
    table[last] = deepcopy(value)
    return True
