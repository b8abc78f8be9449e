from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.rounds.floor.crew import SECRET, Crew, gather


@pytest.fixture
def crew(transactional_db: None, tmp_path: Path, settings: Settings) -> Crew:
    """With real commits, because the simulator talks to a server in another thread."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.DATA_DIR = tmp_path / "data"
    create_key_file(settings.LEDGER_KEY_FILE)
    return gather()


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """The folder with the private key of Harbour's controller box-1."""
    folder = tmp_path / "controllers"
    folder.mkdir()
    secret = SECRET.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "harbour.box-1.pem").write_bytes(secret)
    return folder
