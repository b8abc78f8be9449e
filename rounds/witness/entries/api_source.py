"""Fetches entries and rule packs from the service's API, with a token that an inspector created for the witness."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from rounds.transparency_log import formats
from rounds.witness.entries.bundle_source import RawEntry, packs_by_digest
from rounds.witness.errors import RateLimited, ServiceUnreachable, WitnessError
from rounds.witness.http.http_client import send_request
from rounds.witness.state import FollowedLog

# The service ends a page after two megabytes, or after one entry of at most three. Base64 adds a third.
MAX_RESPONSE_BYTES = 8 * 1024 * 1024
MAX_RETRIES = 10
Answer = TypeVar("Answer")
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


class _ApiEntry(msgspec.Struct):
    index: int
    leaf: str


class _ApiPage(msgspec.Struct):
    entries: list[_ApiEntry]


class _ApiPack(msgspec.Struct):
    content: str


class ApiSource:
    """Reads a log from its service, page by page."""

    def __init__(self, log: FollowedLog, token: str) -> None:
        self.log, self.token = log, token
        parts = urlsplit(log.url)
        if parts.scheme != "https" and parts.hostname not in LOOPBACK:
            raise WitnessError("bare-token", f"{log.url} is not https: whoever listens would have the token.")

    def entries(self, first: int, last: int) -> Iterator[RawEntry]:
        while first < last:
            page = self._get_json(f"entries?first={first}", _ApiPage)
            if not page.entries or page.entries[0].index != first:
                raise ServiceUnreachable("bad-answer", f"{self.log.url} did not answer with entry {first}.")
            for entry in page.entries:
                header, _, body = formats.decode_base64(entry.leaf, "leaf").partition(b"\n")
                yield RawEntry(entry.index, header, body)
            first = page.entries[-1].index + 1

    def packs(self, named: Collection[str]) -> dict[str, bytes]:
        return packs_by_digest(self._get_json(f"packs/{sha256}", _ApiPack).content.encode() for sha256 in named)

    def _get_json(self, what: str, kind: type[Answer]) -> Answer:
        address = f"{self.log.url}/api/v1/casinos/{self.log.slug}/{what}"
        try:
            return msgspec.json.decode(self._get_with_retry(address), type=kind)
        except msgspec.MsgspecError as error:
            raise ServiceUnreachable("bad-answer", f"{address} did not answer with what it is for: {error}") from error

    def _get_with_retry(self, url: str) -> bytes:
        """Waits and retries when the service's rate limit is reached."""
        for _ in range(MAX_RETRIES):
            try:
                return send_request(url, token=self.token, max_bytes=MAX_RESPONSE_BYTES)
            except RateLimited as wait:
                time.sleep(wait.seconds)
        raise ServiceUnreachable("too-soon", f"{url} only ever answers to wait.")


def read_token(path: Path) -> str:
    try:
        [token] = path.read_text().split()
    except (OSError, ValueError) as error:
        raise WitnessError("no-token", f"The file {path} does not hold a token: one line, as it was shown.") from error
    return token
