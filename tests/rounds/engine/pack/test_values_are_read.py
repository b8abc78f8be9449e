"""No unused data in packs: code outside the schema reads every key of it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from compliance.config.environment import PROJECT
from rounds.engine.pack.pack_file import PackFile

SCHEMA = PROJECT / "rounds" / "engine" / "pack"
CODE = ("rounds", "compliance", "promotions")
# Part of the schema package, but not of the schema: they apply the law or compare its parts.
READERS = ("compiled_rules.py", "clause_readings.py", "validate_law.py")

# Documentation inside the pack: read in the pack itself, which its pages show.
DOCUMENTATION = {"PackFile.procedures", "ProcedureChoice.otherwise", "InspectionDuty.proves"}
# Read by methods of the schema itself.
OWN_METHOD = {
    "EquipmentFault.devices",
    "InspectionDuty.enters_values",
    "WinnerNotification.rolls_over_non_business_days",
}


def schema_classes(kind: Any) -> Iterator[type]:
    if is_dataclass(kind) and isinstance(kind, type):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from schema_classes(hint)
    for inner in get_args(kind):
        yield from schema_classes(inner)


def names_read() -> set[str]:
    """Every attribute read in code or in a template, and every part of a dotted path in a text (clause keys)."""
    names: set[str] = set()
    for path in (path for folder in CODE for path in (PROJECT / folder).rglob("*.py")):
        if SCHEMA in path.parents and path.name not in READERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                names.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
                names |= set(node.value.split(".")) if re.fullmatch(r"[a-z_.]+", node.value) else set()
    for path in PROJECT.joinpath("templates").rglob("*.html"):
        names |= set(re.findall(r"\.([a-z_]+)", path.read_text(encoding="utf-8")))
    return names


def test_every_key_of_the_schema_is_read() -> None:
    read = names_read()
    unread = {
        f"{kind.__name__}.{each.name}"
        for kind in schema_classes(PackFile)
        for each in fields(kind)
        if each.name not in read
    }
    assert unread - DOCUMENTATION - OWN_METHOD == set()
