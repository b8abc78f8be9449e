import pytest

from tests.compliance.audit.conftest import committed_house, house
from tests.compliance.audit.house import House
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords

__all__ = ["committed_crew", "committed_house", "crew", "house", "quick_passwords"]


@pytest.fixture
def office(house: House) -> ReviewScenario:
    return ReviewScenario(house)


@pytest.fixture
def committed_office(committed_house: House) -> ReviewScenario:
    return ReviewScenario(committed_house)
