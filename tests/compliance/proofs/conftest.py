import pytest

from tests.compliance.accounts.conftest import quick_passwords
from tests.compliance.disputes import floor as disputed
from tests.compliance.disputes.floor import Floor

__all__ = ["floor", "quick_passwords"]
people = disputed.floor


@pytest.fixture
def floor(people: Floor) -> Floor:
    people.open_table()
    return people
