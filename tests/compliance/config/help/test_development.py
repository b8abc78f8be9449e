"""Every file, name, command and make target in the developer guide exists."""

import ast
import re
from html import unescape
from pathlib import Path

import pytest
from django.core.management import get_commands

from compliance.config.environment import PROJECT
from compliance.config.help.help_page import PAGES
from tests.bench.__main__ import SUBJECTS
from tests.drills.__main__ import DRILLS

GUIDE = (PROJECT / "templates" / "docs" / "development.html").read_text()
CODE = [unescape(text) for text in re.findall(r"<code[^>]*>(.*?)</code>", GUIDE, re.DOTALL)]
TOP_LEVEL = r"(?:compliance|rounds|promotions|templates|tests)/[\w./-]*|README\.md|Makefile|(?<![\w/])[a-z]+\.toml"
PLACES = sorted({place for text in CODE for place in re.findall(rf"({TOP_LEVEL})(?:::?(\w+))?", text)})
# Words that stand for a name of the reader's own: only what comes before them has to exist.
PLACEHOLDER = re.compile(r"APP|NAME|SLUG")
# A few of which the guide must speak, so that the tests below cannot pass by finding nothing.
EXPECTED = {
    "pyproject.toml": "",
    "rounds/ledger/__init__.pyi": "",
    "rounds/rulepacks/SLUG.golden.toml": "",
    "rounds/rulepacks/SLUG.violations.toml": "",
    "tests/contracts/test_permission_matrix.py": "MATRIX",
    "tests/contracts/test_templates.py": "test_a_lost_name_is_found",
    "compliance/reports/kinds/__init__.py": "REPORT_KINDS",
}


def named_in_code(pattern: str) -> set[str]:
    return {name for text in CODE for name in re.findall(pattern, text)}


def existing_part(path: str) -> Path:
    """The path, or the folder that holds the first part with a placeholder."""
    parts = Path(path).parts
    fixed = next((place for place, part in enumerate(parts) if PLACEHOLDER.search(part)), len(parts))
    return PROJECT.joinpath(*parts[:fixed])


def top_level_names(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.ImportFrom):
            names |= {name.asname or name.name for name in node.names}
    return names


@pytest.mark.parametrize(("path", "name"), PLACES)
def test_each_file_and_name_exists(path: str, name: str) -> None:
    found = existing_part(path)
    assert found.is_dir() if path.endswith("/") else found.exists()
    if name:
        assert name in top_level_names(found)


def test_the_guide_names_what_its_recipes_touch() -> None:
    assert set(EXPECTED.items()) <= set(PLACES)
    assert len(PLACES) > 70


def test_each_command_exists() -> None:
    commands = named_in_code(r"manage\.py ([a-z_]+)")
    assert commands <= set(get_commands())
    assert {"rulebook", "migrate", "makemigrations", "check"} <= commands


def test_each_part_of_the_rulebook_command_exists() -> None:
    source = (PROJECT / "rounds/rulebook/management/commands/rulebook.py").read_text()
    for part in named_in_code(r"manage\.py rulebook (\w+)"):
        assert f'"{part}"' in source


def test_each_make_target_exists() -> None:
    targets = named_in_code(r"(?:^|\n)make ([\w-]+)")
    makefile = (PROJECT / "Makefile").read_text()
    defined = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)) | {f"drill-{name}" for name in DRILLS}
    assert targets <= defined
    assert {"test", "lint", "types", "layers", "drill-clock", "bench"} <= targets
    assert named_in_code(r"SUBJECTS=(\w+)") <= set(SUBJECTS)
    assert named_in_code(r"tests\.drills (\w+)") <= set(DRILLS)


def test_it_is_registered_for_contributors() -> None:
    [page] = [page for page in PAGES if page.slug == "development"]
    assert page.audience == "Contributors"


def test_a_missing_name_or_file_is_found() -> None:
    assert not existing_part("rounds/rulepacks/nothing.toml").exists()
    assert not existing_part("rounds/nowhere/NAME.py").exists()
    assert "settle_under" in top_level_names(PROJECT / "tests/rounds/reference/naive.py")
    assert "settle_over" not in top_level_names(PROJECT / "tests/rounds/reference/naive.py")
