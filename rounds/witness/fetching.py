"""Entries and rule packs fetched from the service, with a token that an inspector made for the witness."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from rounds.ledger.notes import decode_base64
from rounds.witness.asking import ask
from rounds.witness.errors import NotReached, TooSoon, WitnessError
from rounds.witness.evidence import EntryRead, by_digest
from rounds.witness.state import Followed

# The service ends a page after two megabytes, or after one entry of at most three; base64 makes a third more of it.
MOST_BYTES = 8 * 1024 * 1024
MOST_PATIENCE = 10
Answer = TypeVar("Answer")
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


class _Entry(msgspec.Struct):
    index: int
    leaf: str


class _Page(msgspec.Struct):
    entries: list[_Entry]


class _Pack(msgspec.Struct):
    content: str


class Service:
    """A log read from its service, page after page."""

    def __init__(self, log: Followed, token: str) -> None:
        self.log, self.token = log, token
        parts = urlsplit(log.url)
        if parts.scheme != "https" and parts.hostname not in LOOPBACK:
            raise WitnessError("bare-token", f"{log.url} is not https: whoever listens would have the token.")

    def entries(self, first: int, last: int) -> Iterator[EntryRead]:
        while first < last:
            page = self._read(f"entries?first={first}", _Page)
            if not page.entries or page.entries[0].index != first:
                raise NotReached("bad-answer", f"{self.log.url} did not answer with entry {first}.")
            for entry in page.entries:
                header, _, body = decode_base64(entry.leaf, "leaf").partition(b"\n")
                yield EntryRead(entry.index, header, body)
            first = page.entries[-1].index + 1

    def packs(self, named: Collection[str]) -> dict[str, bytes]:
        return by_digest(self._read(f"packs/{sha256}", _Pack).content.encode() for sha256 in named)

    def _read(self, what: str, kind: type[Answer]) -> Answer:
        address = f"{self.log.url}/api/v1/casinos/{self.log.slug}/{what}"
        try:
            return msgspec.json.decode(self._ask(address), type=kind)
        except msgspec.MsgspecError as error:
            raise NotReached("bad-answer", f"{address} did not answer with what it is for: {error}") from error

    def _ask(self, address: str) -> bytes:
        """Whoever asks too often is told to wait, and waits."""
        for _ in range(MOST_PATIENCE):
            try:
                return ask(address, token=self.token, most=MOST_BYTES)
            except TooSoon as wait:
                time.sleep(wait.seconds)
        raise NotReached("too-soon", f"{address} only ever answers to wait.")


def read_token(path: Path) -> str:
    try:
        [token] = path.read_text().split()
    except (OSError, ValueError) as error:
        raise WitnessError("no-token", f"The file {path} does not hold a token: one line, as it was shown.") from error
    return token
