"""Harbour and its people, a webhook key, and loopback as an allowed network."""

from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.notify.alerts.alert_scenario import House, open_house
from tests.compliance.notify.alerts.conftest import house
from tests.compliance.notify.webhooks.receiver import Receiver, receiver

__all__ = ["house"]


@pytest.fixture(autouse=True)
def own_settings(settings: Settings, tmp_path: Path) -> None:
    settings.WEBHOOK_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.WEBHOOK_KEY_FILE = tmp_path / "keys" / "webhook.key"
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.WEBHOOK_KEY_FILE)
    create_key_file(settings.LEDGER_KEY_FILE)


@pytest.fixture
def committed(transactional_db: None, settings: Settings) -> House:
    """With real commits, for tests with several connections."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return open_house()


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as running:
        yield running
