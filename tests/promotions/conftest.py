import pytest
from pytest_django import Settings

from tests.promotions.crew import Crew, make_crew


@pytest.fixture
def crew(settings: Settings, db: None) -> Crew:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return make_crew()
