import pytest

from tests.compliance.notify.alerts.conftest import mailbox
from tests.compliance.tables.equipment.builders import Floor, open_floor
from tests.rounds.floor.conftest import committed_crew, crew, quick_passwords
from tests.rounds.floor.crew import Crew

__all__ = ["committed_crew", "crew", "mailbox", "quick_passwords"]


@pytest.fixture
def floor(crew: Crew) -> Floor:
    return open_floor(crew)


@pytest.fixture
def committed_floor(committed_crew: Crew) -> Floor:
    return open_floor(committed_crew)
