"""Every installed package is pinned, and every direct requirement states its purpose."""

import re
from importlib import metadata
from pathlib import Path

import pytest

from compliance.config.environment import PROJECT

FILES = (PROJECT / "requirements.txt", PROJECT / "tests" / "requirements.txt")
COMES_WITH_PYTHON = {"pip", "setuptools", "wheel"}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.partition("[")[0]).lower()


def requirements(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line and not line.startswith(("#", "-r"))]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PROJECT)))
def test_each_direct_requirement_is_exact_and_has_a_purpose(file: Path) -> None:
    direct, _, pulled_in = file.read_text().partition("# Pulled in by the above.")
    for line in direct.splitlines()[1:]:
        if line and not line.startswith("-r"):
            assert re.fullmatch(r"[\w.\[\]-]+==[\w.]+ +# \S.+", line), line
    for line in pulled_in.split():
        assert re.fullmatch(r"[\w.-]+==[\w.]+(;python_full_version<\"[\d.]+\")?", line), line


def test_everything_installed_is_pinned_to_that_version() -> None:
    pinned: dict[str, str] = {}
    for file in FILES:
        for line in requirements(file):
            name, _, version = line.split("#")[0].strip().partition("==")
            pinned[plain(name)] = version.partition(";")[0]
    installed = {plain(found.metadata["Name"]): found.version for found in metadata.distributions()}
    loose = {name: version for name, version in installed.items() if pinned.get(name) != version}
    assert set(loose) <= COMES_WITH_PYTHON
