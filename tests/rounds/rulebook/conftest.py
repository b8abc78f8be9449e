import pytest
from pytest_django import Settings

from tests.rounds.rulebook.rulers import Rulers, gather


@pytest.fixture
def rulers(settings: Settings, db: None) -> Rulers:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return gather()
