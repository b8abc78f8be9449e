from pathlib import Path

import pytest
from pytest_django import Settings

from tests.compliance.inspection.reviews.conftest import (
    committed_crew,
    committed_house,
    committed_office,
    crew,
    house,
    office,
    quick_passwords,
)

__all__ = ["committed_crew", "committed_house", "committed_office", "crew", "house", "office", "quick_passwords"]


@pytest.fixture(autouse=True)
def reports_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.REPORTS_DIR = tmp_path / "reports"
    return tmp_path / "reports"
