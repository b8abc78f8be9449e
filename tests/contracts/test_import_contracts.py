"""The lists behind the public interfaces stay true: every named importer imports, every exported name has a user.

import-linter accepts an allowed importer that no longer imports anything, which would widen the interface unnoticed.
"""

import ast
import re
import tomllib
from typing import Any

import grimp
import pytest

from compliance.config.environment import PROJECT

ROOTS = ("compliance", "rounds", "promotions")
LINTER: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]
NAMED_IMPORTERS = [
    contract
    for contract in LINTER["contracts"]
    if contract["type"] == "protected" and not any("*" in name for name in contract["protected_modules"])
]
INTERFACES = ("rounds/ledger", "rounds/engine", "rounds/transparency_log")
MAX_LEDGER_NAMES = 32


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*ROOTS)


@pytest.mark.parametrize("contract", NAMED_IMPORTERS, ids=lambda contract: contract["name"])
def test_every_named_importer_imports(graph: grimp.ImportGraph, contract: dict[str, Any]) -> None:
    importers = {
        importer
        for package in contract["protected_modules"]
        for module in {package, *graph.find_descendants(package)}
        for importer in graph.find_modules_that_directly_import(module)
    }
    unused = {
        name
        for name in contract["allowed_importers"]
        if not any(importer == name or importer.startswith(f"{name}.") for importer in importers)
    }
    assert unused == set()


@pytest.mark.parametrize("package", INTERFACES)
def test_every_exported_name_has_a_user_outside(package: str) -> None:
    sources = [
        path.read_text()
        for root in ROOTS
        for path in (PROJECT / root).rglob("*.py")
        if not path.is_relative_to(PROJECT / package)
    ]
    words = {word for text in sources if package.replace("/", ".") in text for word in re.findall(r"\w+", text)}
    exported = {name for stub in (PROJECT / package).rglob("__init__.pyi") for name in names_in(stub.read_text())}
    assert exported - words == set()


def names_in(stub: str) -> set[str]:
    return {alias.name for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_the_interface_of_the_ledger_stays_small() -> None:
    assert len(names_in((PROJECT / "rounds/ledger/__init__.pyi").read_text())) <= MAX_LEDGER_NAMES
