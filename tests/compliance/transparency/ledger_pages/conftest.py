"""Harbour and its people, a separate ledger key, and a folder for bundles."""

from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, open_floor


@pytest.fixture(autouse=True)
def own_folders(settings: Settings, tmp_path: Path) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.SITE_NAME = "ledger.example"
    settings.EVIDENCE_DIR = tmp_path / "evidence"
    create_key_file(settings.LEDGER_KEY_FILE)


@pytest.fixture
def floor(db: None) -> Floor:
    return open_floor()


@pytest.fixture
def committed_floor(transactional_db: None) -> Floor:
    """The floor with real commits, for other connections, superusers and workers."""
    return open_floor()
