"""The package layout: small folders, true maps, tests that mirror the tree, no two folders that import each other."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from compliance.config.environment import PROJECT

ROOTS = ("compliance", "rounds", "promotions")
MAX_MODULES = 15
# Modules that every Django app may have; a package map need not list them.
CONVENTIONAL = {
    "corrections",
    "apps",
    "urls",
    "tasks",
    "errors",
    "forms",
    "models",
    "states",
    "demo",
    "health",
    "entry_kinds",
    "help_page",
}
# Nouns, and terms of the trade, that end like a gerund.
NOUNS = {"filing", "finding", "formatting", "load_shedding", "forbidden_wording", "row_mapping", "round_encoding"}


def source_files() -> list[Path]:
    found = (path for root in ROOTS for path in (PROJECT / root).rglob("*.py"))
    return sorted(path for path in found if not {"migrations", "management", "__pycache__"} & set(path.parts))


@cache
def modules_by_folder() -> dict[Path, list[str]]:
    folders: dict[Path, list[str]] = defaultdict(list)
    for path in source_files():
        if path.name != "__init__.py":
            folders[path.parent].append(path.stem)
    return folders


def test_no_folder_has_more_modules_than_fit_on_a_screen() -> None:
    large = {str(folder): len(names) for folder, names in modules_by_folder().items() if len(names) > MAX_MODULES}
    assert large == {}


def test_modules_are_named_by_nouns() -> None:
    assert {name for names in modules_by_folder().values() for name in names if name.endswith("ing")} <= NOUNS


def test_package_docstrings_are_true_maps() -> None:
    known = {path.name for path in PROJECT.glob("*.py")} | {path.name for path in (PROJECT / "tests").rglob("*.py")}
    known |= {path.name for path in source_files()} | {"verify_report.py", "verify_bundle.py", "verify_wager.py"}
    wrong = {}
    for folder, modules in modules_by_folder().items():
        docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
        words = set(re.findall(r"\w+", docstring))
        absent = [name for name in modules if name not in words | CONVENTIONAL and not name.startswith("_")]
        gone = [name for name in re.findall(r"(?<![\w/.])([a-z_]+\.py)\b", docstring) if name not in known]
        if not docstring or absent or gone:
            wrong[str(folder.relative_to(PROJECT))] = (absent, gone)
    assert wrong == {}, "modules that the map lacks, and files on it that are not there"


def test_tests_mirror_the_tree() -> None:
    folders = {path.parent for root in ROOTS for path in (PROJECT / "tests" / root).rglob("test_*.py")}
    relative = {folder.relative_to(PROJECT / "tests") for folder in folders}
    allowed = {Path("rounds/reference")}
    assert {str(folder) for folder in relative - allowed if not (PROJECT / folder).is_dir()} == set()


def test_no_two_folders_import_each_other() -> None:
    """Parents and children apart: an app's models and errors are below its sub-packages, its tasks above them."""
    modules = {
        ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in source_files()
    }
    imports: set[tuple[Path, Path]] = set()
    for path in source_files():
        if path.name in {"apps.py", "urls.py"}:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    target = modules.get(f"{node.module}.{alias.name}") or modules.get(node.module)
                    if target is not None and target.parent != path.parent:
                        imports.add((path.parent, target.parent))
    both_ways = {(str(a), str(b)) for a, b in imports if (b, a) in imports and a < b and a not in b.parents}
    assert both_ways == set()
