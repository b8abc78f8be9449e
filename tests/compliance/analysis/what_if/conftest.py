import pytest

from tests.compliance.analysis.what_if.trial_setup import TrialSetup, long_bench, open_bench, played_bench
from tests.compliance.audit.conftest import house
from tests.rounds.floor.conftest import crew, quick_passwords

__all__ = ["crew", "house", "quick_passwords"]


@pytest.fixture
def opened(db: None) -> TrialSetup:
    return open_bench()


@pytest.fixture
def bench(db: None) -> TrialSetup:
    return played_bench()


@pytest.fixture
def long(db: None) -> TrialSetup:
    return long_bench()
