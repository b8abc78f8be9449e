import shutil
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.compliance.analysis.parquet.random_play import export, found_by_the_audit, open_tables, play_random_rounds
from tests.compliance.audit.conftest import house
from tests.rounds.floor.conftest import crew, quick_passwords

__all__ = ["crew", "house", "quick_passwords"]

# Path of the exported files of random play, and the audit's findings about it.
_made: list[tuple[Path, set[tuple[object, ...]]]] = []


@pytest.fixture
def made(
    request: pytest.FixtureRequest, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, set[tuple[object, ...]]]:
    """Random play, audited and exported. Once per session, because tests only read the files."""
    if not _made:
        floor, folder = request.getfixturevalue("house"), tmp_path_factory.mktemp("wild") / "files"
        open_tables(floor)
        play_random_rounds(floor, 32)
        floor.audit()
        export(floor, folder, settings)
        _made.append((folder, found_by_the_audit()))
    return _made[0]


@pytest.fixture
def files(made: tuple[Path, set[tuple[object, ...]]], tmp_path: Path) -> Path:
    """A copy of those files that a test may change."""
    return Path(shutil.copytree(made[0], tmp_path / "files"))
