from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.rounds.rulebook.rule_makers import RuleMakers, create_rule_makers


@pytest.fixture
def rulers(settings: Settings, db: None) -> RuleMakers:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return create_rule_makers()


@pytest.fixture
def key_file(tmp_path: Path, settings: Settings) -> Path:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return tmp_path / "keys" / "ledger.key"
