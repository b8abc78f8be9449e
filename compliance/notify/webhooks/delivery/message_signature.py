"""The key that signs messages, in a file outside the database, and the headers of Standard Webhooks made with it.

One key for all receivers, asymmetric: a receiver can check a message and can make none.
"""

import base64
from datetime import datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings

from compliance.notify.webhooks.errors import NoWebhookKey
from compliance.notify.webhooks.models import Endpoint
from rounds.ledger import signing

PUBLIC_PREFIX = "whpk_"
SIGNATURE_VERSION = "v1a"


def make_first_key() -> None:
    """As long as nobody has registered a webhook, nobody can have been given the public key of another."""
    if not Endpoint.objects.exists():
        signing.create_key_file(Path(settings.WEBHOOK_KEY_FILE))


def load_signing_key() -> Ed25519PrivateKey:
    try:
        seed = bytes.fromhex(Path(settings.WEBHOOK_KEY_FILE).read_text())
    except (OSError, ValueError) as error:
        raise NoWebhookKey from error
    if len(seed) != signing.SEED_BYTES:
        raise NoWebhookKey
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key_text() -> str:
    """As it is handed to a receiver."""
    return PUBLIC_PREFIX + base64.b64encode(load_signing_key().public_key().public_bytes_raw()).decode()


def signed_headers(message_id: str, body: bytes, at: datetime) -> dict[str, str]:
    """A new time with each attempt, so that a receiver can refuse what is old; the id stays."""
    timestamp = str(int(at.timestamp()))
    signature = load_signing_key().sign(f"{message_id}.{timestamp}.".encode() + body)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"{SIGNATURE_VERSION},{base64.b64encode(signature).decode()}",
    }
