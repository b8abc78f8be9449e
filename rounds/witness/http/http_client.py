"""HTTP client of the witness for the service. Responses are limited in size; reading entries needs a token."""

from __future__ import annotations

import http
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from urllib.parse import urlsplit

from rounds.transparency_log import errors, formats
from rounds.witness.errors import RateLimited, ServiceUnreachable, WitnessError
from rounds.witness.http.add_checkpoint import parse_hashes
from rounds.witness.state import FollowedLog

TIMEOUT_SECONDS = 30
MAX_RETRY_AFTER_SECONDS = 60
TEXT_CONTENT_TYPE = "text/plain; charset=utf-8"


def check_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise WitnessError("bad-address", f"{url} is not the address of a service, such as https://ledger.example.")
    return url.rstrip("/")


def fetch_checkpoint(log: FollowedLog) -> bytes:
    return send_request(f"{log.url}/logs/{log.slug}/checkpoint")


def fetch_consistency_proof(log: FollowedLog, first: int, second: int) -> Sequence[bytes]:
    """The proof that the log of `second` entries extends that of `first`,
    as the service sends it; not verified here.
    """
    answer = send_request(f"{log.url}/api/v1/logs/{log.slug}/proof/consistency?from={first}&to={second}")
    try:
        return parse_hashes(json.loads(answer)["proof"])
    except (ValueError, KeyError, TypeError, AttributeError, errors.NoteError) as error:
        raise ServiceUnreachable("bad-answer", f"{log.url} did not answer with a proof.") from error


def post_cosignature(log: FollowedLog, size: int, line: str) -> None:
    send_request(f"{log.url}/api/v1/logs/{log.slug}/checkpoints/{size}/cosignatures", line.encode())


def post_disagreement(log: FollowedLog, statement: bytes) -> None:
    send_request(f"{log.url}/api/v1/logs/{log.slug}/disagreements", statement)


def send_request(
    url: str, body: bytes | None = None, *, token: str = "", max_bytes: int = formats.MAX_NOTE_BYTES
) -> bytes:
    headers = {"Content-Type": TEXT_CONTENT_TYPE} if body is not None else {}
    request = urllib.request.Request(url, body, headers)  # noqa: S310 - checked by check_address
    if token:
        # Not sent on to the target of a redirect.
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 - checked by check_address
            raw: bytes = answer.read(max_bytes + 1)
    except urllib.error.HTTPError as error:
        if error.code == http.HTTPStatus.TOO_MANY_REQUESTS:
            raise RateLimited(url, _parse_retry_after(error.headers.get("Retry-After", ""))) from error
        response_text = error.read(500).decode(errors="replace")
        raise ServiceUnreachable(
            "refused", f"{url} answered {error.code}: {' '.join(response_text.split())}"
        ) from error
    except (OSError, http.client.HTTPException) as error:
        raise ServiceUnreachable("not-reached", f"{url} cannot be reached: {error}") from error
    if len(raw) > max_bytes:
        raise ServiceUnreachable("bad-answer", f"{url} answered with more than {max_bytes} bytes.")
    return raw


def _parse_retry_after(text: str) -> int:
    return min(int(text), MAX_RETRY_AFTER_SECONDS) if text.isascii() and text.isdigit() else MAX_RETRY_AFTER_SECONDS
