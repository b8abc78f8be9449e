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


def test_the_map_names_every_package_and_every_app() -> None:
    tree = README.partition("## Map")[2].partition("```\n\n")[0]
    listed = set(re.findall(r"^(?:  )?([a-z_]+)/ ", tree, re.MULTILINE))
    packages = {
        folder.name
        for root in ("compliance", "rounds", "promotions")
        for folder in (PROJECT / root).iterdir()
        if (folder / "__init__.py").exists()
    }
    assert packages <= listed
    apps = {file.parent.name for root in ("compliance", "promotions") for file in (PROJECT / root).rglob("apps.py")}
    assert apps <= set(re.findall(r"\w+", tree))


def test_the_features_fit_on_a_screen() -> None:
    features = README.partition("## Features")[2].partition("\n## ")[0].strip().splitlines()
    assert 10 < len(features) <= 25


def test_its_picture_is_there_and_small() -> None:
    [picture] = re.findall(r"!\[.+?\]\((.+?)\)", README)
    assert 1_000 < (PROJECT / picture).stat().st_size < 150_000
