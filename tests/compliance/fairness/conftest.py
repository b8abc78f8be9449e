from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.checkpoints import make_key
from tests.compliance.equipment.conftest import committed_floor, floor
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords

__all__ = ["committed_crew", "committed_floor", "crew", "floor", "quick_passwords"]


@pytest.fixture(autouse=True)
def ledger_key(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "log.key"
    make_key(settings.LEDGER_KEY_FILE)
