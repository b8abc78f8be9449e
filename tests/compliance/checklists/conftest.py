from pathlib import Path

import pytest
from pytest_django import Settings

from tests.compliance.checklists.desk import Desk
from tests.compliance.reviews.conftest import (
    committed_crew,
    committed_house,
    committed_office,
    crew,
    house,
    office,
    quick_passwords,
)
from tests.compliance.reviews.office import Office

__all__ = ["committed_crew", "committed_house", "committed_office", "crew", "house", "office", "quick_passwords"]


@pytest.fixture
def desk(office: Office) -> Desk:
    return Desk(office)


@pytest.fixture
def committed_desk(committed_office: Office, settings: Settings, tmp_path: Path) -> Desk:
    settings.REPORTS_DIR = tmp_path / "reports"
    return Desk(committed_office)
