from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.rounds.floor.crew import Crew, gather


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def crew(db: None) -> Crew:
    return gather()


@pytest.fixture
def committed_crew(transactional_db: None, tmp_path: Path, settings: Settings) -> Crew:
    """With real commits and a ledger key, for tests that verify the log or use two connections."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return gather()
