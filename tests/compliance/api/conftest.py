from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.reports.conftest import (
    committed_crew,
    committed_house,
    committed_office,
    crew,
    house,
    office,
    quick_passwords,
    reports_dir,
)

__all__ = [
    "committed_crew", "committed_house", "committed_office", "crew", "house", "office", "quick_passwords",
    "reports_dir",
]  # fmt: skip


@pytest.fixture(autouse=True)
def ledger_key(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "log.key"
    create_key_file(settings.LEDGER_KEY_FILE)
