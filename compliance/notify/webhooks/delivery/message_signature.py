"""Ed25519 key that signs messages, in a file outside the database, and the headers of Standard Webhooks. One
asymmetric key for all receivers: a receiver can verify a message but not forge one."""

import base64
from datetime import datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from compliance.core.web.files.key_files import read_seed
from compliance.notify.webhooks.errors import NoWebhookKey
from compliance.notify.webhooks.models import Endpoint
from rounds.ledger import signing

PUBLIC_PREFIX = "whpk_"
SIGNATURE_VERSION = "v1a"


def make_first_key() -> None:
    """Creates the key only while no webhook exists: afterwards receivers have the public key."""
    if not Endpoint.objects.exists():
        signing.create_key_file(Path(settings.WEBHOOK_KEY_FILE))


def load_signing_key() -> Ed25519PrivateKey:
    try:
        return Ed25519PrivateKey.from_private_bytes(read_seed(Path(settings.WEBHOOK_KEY_FILE)))
    except (OSError, ValueError) as error:
        raise NoWebhookKey from error


def public_key_text() -> str:
    """The public key in the format for receivers."""
    return PUBLIC_PREFIX + base64.b64encode(load_signing_key().public_key().public_bytes_raw()).decode()


def signed_headers(message_id: str, body: bytes, at: datetime) -> dict[str, str]:
    """Signed headers.
    The timestamp is new with each attempt, so that a receiver can reject old messages; the id stays."""
    timestamp = str(int(at.timestamp()))
    signature = load_signing_key().sign(f"{message_id}.{timestamp}.".encode() + body)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"{SIGNATURE_VERSION},{base64.b64encode(signature).decode()}",
    }
