from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.compliance.core.web.mail.mail_server import Mailbox, mail_server
from tests.compliance.notify.alerts.alert_scenario import House, open_house
from tests.rounds.floor.conftest import crew, quick_passwords

__all__ = ["crew", "quick_passwords"]


@pytest.fixture
def house(db: None, settings: Settings) -> House:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return open_house()


@pytest.fixture
def mailbox(settings: Settings) -> Iterator[Mailbox]:
    """The settings that EMAIL_URL=smtp://127.0.0.1:<port> results in."""
    with mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 20
        yield server
