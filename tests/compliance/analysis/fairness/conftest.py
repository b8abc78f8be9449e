from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.tables.equipment.conftest import committed_floor, floor
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords

__all__ = ["committed_crew", "committed_floor", "crew", "floor", "quick_passwords"]


@pytest.fixture(autouse=True)
def ledger_key(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "log.key"
    create_key_file(settings.LEDGER_KEY_FILE)
