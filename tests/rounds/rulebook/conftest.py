from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.checkpoints import make_key
from tests.rounds.rulebook.rulers import Rulers, gather


@pytest.fixture
def rulers(settings: Settings, db: None) -> Rulers:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return gather()


@pytest.fixture
def key_file(tmp_path: Path, settings: Settings) -> Path:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    make_key(settings.LEDGER_KEY_FILE)
    return tmp_path / "keys" / "ledger.key"
