"""A separate ledger key for every test, so that no test is bound by what another signed."""

from pathlib import Path
from typing import Any

import pytest

from rounds.ledger.signing.checkpoints import create_key_file
from tests.rounds.ledger import harbour_log


@pytest.fixture
def key_file(tmp_path: Path, settings: Any) -> Path:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.SITE_NAME = "ledger.example"
    create_key_file(settings.LEDGER_KEY_FILE)
    return tmp_path / "keys" / "ledger.key"


@pytest.fixture
def log(db: None, key_file: Path) -> str:
    return harbour_log.opened()


@pytest.fixture
def committed_log(transactional_db: None, key_file: Path) -> str:
    """A log with real commits, for other connections, superusers and snapshots."""
    return harbour_log.opened()
