import pytest

from tests.compliance.trials.bench import Bench, long_bench, open_bench, played_bench
from tests.rounds.floor.conftest import quick_passwords

__all__ = ["quick_passwords"]


@pytest.fixture
def opened(db: None) -> Bench:
    return open_bench()


@pytest.fixture
def bench(db: None) -> Bench:
    return played_bench()


@pytest.fixture
def long(db: None) -> Bench:
    return long_bench()
