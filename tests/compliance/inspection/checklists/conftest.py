from pathlib import Path

import pytest
from pytest_django import Settings

from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.inspection.reviews.conftest import (
    committed_crew,
    committed_house,
    committed_office,
    crew,
    house,
    office,
    quick_passwords,
)
from tests.compliance.inspection.reviews.scenario import ReviewScenario

__all__ = ["committed_crew", "committed_house", "committed_office", "crew", "house", "office", "quick_passwords"]


@pytest.fixture
def desk(office: ReviewScenario) -> ChecklistScenario:
    return ChecklistScenario(office)


@pytest.fixture
def committed_desk(committed_office: ReviewScenario, settings: Settings, tmp_path: Path) -> ChecklistScenario:
    settings.REPORTS_DIR = tmp_path / "reports"
    return ChecklistScenario(committed_office)
