import pytest
from pytest_django import Settings

from tests.promotions.crew import Crew, gather


@pytest.fixture
def crew(settings: Settings, db: None) -> Crew:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return gather()
