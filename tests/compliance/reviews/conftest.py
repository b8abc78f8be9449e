import pytest

from tests.compliance.audit.conftest import committed_house, house
from tests.compliance.audit.house import House
from tests.compliance.reviews.office import Office
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords

__all__ = ["committed_crew", "committed_house", "crew", "house", "quick_passwords"]


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


@pytest.fixture
def committed_office(committed_house: House) -> Office:
    return Office(committed_house)
