import pytest

from tests.compliance.core.accounts.conftest import quick_passwords
from tests.compliance.disputes import disputed_round as disputed
from tests.compliance.disputes.disputed_round import Floor

__all__ = ["floor", "quick_passwords"]
people = disputed.floor


@pytest.fixture
def floor(people: Floor) -> Floor:
    people.open_table()
    return people
