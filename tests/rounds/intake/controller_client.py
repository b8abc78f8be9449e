"""A test controller of Harbour: numbers, signs and sends lines. Each part can be overridden to test invalid batches."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from django.utils import timezone

from rounds.floor.public_keys import key_id_of
from rounds.intake.protocol.examples import BODIES
from tests.rounds.floor.crew import PUBLIC_KEY, SECRET, Crew, new_table, speaking_controller

ADDRESS = "/api/v1/entries"
TABLE = "sb-1"


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root(lines: Sequence[bytes]) -> bytes:
    """RFC 6962, section 2.1, implemented independently of the code under test."""
    if len(lines) == 1:
        return sha256(b"\x00" + lines[0]).digest()
    half = 1
    while half * 2 < len(lines):
        half *= 2
    return node(root(lines[:half]), root(lines[half:]))


@dataclass
class Feeder:
    """A controller with its key, its HTTP client and its sequence counters."""

    secret: Ed25519PrivateKey = field(default_factory=lambda: SECRET)
    key_id: str = field(default_factory=lambda: key_id_of(PUBLIC_KEY))
    client: Client = field(default_factory=Client)
    sequences: dict[str, int] = field(default_factory=dict)

    def line(self, kind: str = "round", table: str = TABLE, *, at: datetime | None = None, **body: Any) -> bytes:
        """The next line of a table, with the next sequence."""
        if kind != "heartbeat":
            self.sequences[table] = self.sequences.get(table, 0) + 1
        return self.line_at(self.sequences.get(table, 0), kind, table, at=at, **body)

    def line_at(
        self, sequence: int, kind: str = "round", table: str = TABLE, *, at: datetime | None = None, **body: Any
    ) -> bytes:
        envelope = {"kind": kind, "table": table, "sequence": sequence, "at": (at or timezone.now()).isoformat()}
        return json.dumps({**envelope, "body": {**BODIES[kind], **body}}).encode()

    def headers(self, lines: Sequence[bytes], sent_at: str | None = None) -> dict[str, str]:
        sent_at = sent_at or datetime.now(UTC).isoformat()
        text = f"fairthrow-batch-v1\n{self.key_id}\n{sent_at}\n{root(lines).hex()}\n"
        return {
            "Fairthrow-Key": self.key_id,
            "Fairthrow-Sent-At": sent_at,
            "Fairthrow-Signature": b64encode(self.secret.sign(text.encode())).decode(),
        }

    def send(self, *lines: bytes, query: str = "", sent_at: str | None = None, **headers: str) -> Any:
        return self.post(b"\n".join(lines) + b"\n", {**self.headers(lines, sent_at), **headers}, query)

    def post(
        self, body: bytes, headers: dict[str, str], query: str = "", content_type: str = "application/x-ndjson"
    ) -> Any:
        # Django's test client omits the content type of an empty body.
        headers = {"Content-Type": content_type, **headers}
        return self.client.post(ADDRESS + query, body, content_type=content_type, headers=headers)


def feeder_at(crew: Crew, *tables: str) -> Feeder:
    """A controller that is assigned to the tables and has an approved key."""
    speaking_controller(crew, *(new_table(crew, slug) for slug in tables or (TABLE,)))
    return Feeder()
