import pytest

from tests.compliance.audit.house import House
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords
from tests.rounds.floor.crew import Crew

__all__ = ["committed_crew", "crew", "quick_passwords"]


@pytest.fixture
def house(crew: Crew) -> House:
    return House(crew)


@pytest.fixture
def committed_house(committed_crew: Crew) -> House:
    return House(committed_crew)
