"""What the README points at exists."""

import ast
import re

import pytest

from compliance.config.environment import PROJECT

README = (PROJECT / "README.md").read_text()
PLACES = re.findall(r"`((?:compliance|rounds|promotions|templates|tests)/[\w./-]+?)(?::(\w+))?`", README)


@pytest.mark.parametrize(("path", "name"), PLACES)
def test_each_place_it_names_is_there(path: str, name: str) -> None:
    file = PROJECT / path
    assert file.exists()
    if name:
        tree = ast.parse(file.read_text())
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_it_follows_a_round_through_ten_places() -> None:
    assert len([name for _, name in PLACES if name]) >= 10


def test_the_map_names_every_package() -> None:
    listed = re.findall(r"^(?:  )?([a-z]+)/ ", README.partition("## Map")[2].partition("```\n\n")[0], re.MULTILINE)
    packages = {
        folder.name
        for root in ("compliance", "rounds", "promotions")
        for folder in (PROJECT / root).iterdir()
        if (folder / "__init__.py").exists()
    }
    assert packages <= set(listed)


def test_its_picture_is_there_and_small() -> None:
    [picture] = re.findall(r"!\[.+?\]\((.+?)\)", README)
    assert 1_000 < (PROJECT / picture).stat().st_size < 150_000
