import pytest

from tests.compliance.audit.conftest import committed_crew, committed_house, crew, house, quick_passwords
from tests.compliance.audit.house import House
from tests.compliance.trials.bench import Bench

__all__ = ["committed_crew", "committed_house", "crew", "house", "quick_passwords"]


@pytest.fixture
def bench(house: House) -> Bench:
    return Bench(house)


@pytest.fixture
def committed_bench(committed_house: House) -> Bench:
    return Bench(committed_house)
