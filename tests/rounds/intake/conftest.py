from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.rounds.floor.crew import Crew, gather
from tests.rounds.intake.controller_client import Feeder, feeder_at


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def crew(transactional_db: None, tmp_path: Path, settings: Settings) -> Crew:
    """The crew with real commits (transactional database), because recording a batch commits."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return gather()


@pytest.fixture
def feeder(crew: Crew) -> Feeder:
    return feeder_at(crew)
