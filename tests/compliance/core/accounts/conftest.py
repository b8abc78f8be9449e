import pytest
from pytest_django import Settings

from tests.compliance.core.accounts.people import Cast, assemble


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    """Fast password hasher; test_sign_in.py checks the real one once."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def cast(db: None) -> Cast:
    return assemble()
