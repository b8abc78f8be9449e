"""What a witness asks of the service, and what it posts there: bounded answers; a token where entries are read."""

from __future__ import annotations

import http
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from urllib.parse import urlsplit

from rounds.ledger.errors import NoteError
from rounds.ledger.notes import MAX_NOTE_BYTES
from rounds.witness.errors import NotReached, TooSoon, WitnessError
from rounds.witness.requests import read_hashes
from rounds.witness.state import Followed

SECONDS = 30
LONGEST_WAIT = 60
TEXT = "text/plain; charset=utf-8"


def check_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise WitnessError("bad-address", f"{url} is not the address of a service, such as https://ledger.example.")
    return url.rstrip("/")


def fetch_checkpoint(log: Followed) -> bytes:
    return ask(f"{log.url}/logs/{log.slug}/checkpoint")


def fetch_proof(log: Followed, first: int, second: int) -> Sequence[bytes]:
    """That the log of `second` entries begins with that of `first`: as the service claims, nothing checked yet."""
    answer = ask(f"{log.url}/api/v1/logs/{log.slug}/proof/consistency?from={first}&to={second}")
    try:
        return read_hashes(json.loads(answer)["proof"])
    except (ValueError, KeyError, TypeError, AttributeError, NoteError) as error:
        raise NotReached("bad-answer", f"{log.url} did not answer with a proof.") from error


def post_cosignature(log: Followed, size: int, line: str) -> None:
    ask(f"{log.url}/api/v1/logs/{log.slug}/checkpoints/{size}/cosignatures", line.encode())


def post_disagreement(log: Followed, statement: bytes) -> None:
    ask(f"{log.url}/api/v1/logs/{log.slug}/disagreements", statement)


def ask(address: str, body: bytes | None = None, *, token: str = "", most: int = MAX_NOTE_BYTES) -> bytes:
    headers = {"Content-Type": TEXT} if body is not None else {}
    request = urllib.request.Request(address, body, headers)  # noqa: S310 - checked by check_address
    if token:
        # Wherever the answer might lead on to is not told the token.
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310 - checked by check_address
            raw: bytes = answer.read(most + 1)
    except urllib.error.HTTPError as error:
        if error.code == http.HTTPStatus.TOO_MANY_REQUESTS:
            raise TooSoon(address, _seconds(error.headers.get("Retry-After", ""))) from error
        said = error.read(500).decode(errors="replace")
        raise NotReached("refused", f"{address} answered {error.code}: {' '.join(said.split())}") from error
    except (OSError, http.client.HTTPException) as error:
        raise NotReached("not-reached", f"{address} cannot be reached: {error}") from error
    if len(raw) > most:
        raise NotReached("bad-answer", f"{address} answered with more than {most} bytes.")
    return raw


def _seconds(text: str) -> int:
    return min(int(text), LONGEST_WAIT) if text.isascii() and text.isdigit() else LONGEST_WAIT
