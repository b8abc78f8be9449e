"""Query parameters. Cursors page in log order, so that nothing is skipped while records are added."""

import base64
import binascii
from datetime import UTC, datetime

from django.http import HttpRequest
from django.utils.dateparse import parse_datetime

from compliance.api.errors import BadParameter
from rounds.transparency_log import tree

PAGE_SIZE, LARGEST_PAGE = 100, 200
# Entries are sent as stored, without proofs, so a page can hold more.
MAX_ENTRIES_LIMIT = 500
CURSOR_PREFIX = "v1:"


def encode_cursor(last: int) -> str:
    """Opaque to clients, so that its content may change."""
    return base64.urlsafe_b64encode(f"{CURSOR_PREFIX}{last}".encode()).decode().rstrip("=")


def read_cursor(request: HttpRequest) -> int:
    """The last index already read; -1 from the beginning."""
    text = request.GET.get("cursor", "")
    if not text:
        return -1
    try:
        words = base64.urlsafe_b64decode(f"{text}{'=' * (-len(text) % 4)}".encode("ascii")).decode("ascii")
    except (ValueError, binascii.Error):
        words = ""
    number = words.removeprefix(CURSOR_PREFIX)
    if not words.startswith(CURSOR_PREFIX) or not number.isdigit() or int(number[:20]) > tree.MAX_SIZE:
        raise BadParameter("The cursor is none that this service gave out.")
    return int(number)


def read_limit(request: HttpRequest) -> int:
    return read_number(request, "limit", PAGE_SIZE, minimum=1, maximum=LARGEST_PAGE)


def read_number(
    request: HttpRequest, name: str, default: int, *, minimum: int = 0, maximum: int = tree.MAX_SIZE
) -> int:
    text = request.GET.get(name, str(default))
    if not (text.isascii() and text.isdigit() and minimum <= int(text[:20]) <= maximum):
        raise BadParameter(f"The {name} must be a whole number from {minimum} to {maximum}.")
    return int(text)


def read_timestamp(request: HttpRequest, name: str) -> datetime | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    try:
        # An unescaped plus in a query string decodes to a space.
        instant = parse_datetime(text.replace(" ", "+"))
        if instant is None or instant.tzinfo is None:
            raise ValueError
        # In UTC, because PostgreSQL does not accept every offset that Python parses.
        return instant.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadParameter(
            f"The parameter {name} must be a time with its zone, such as 2026-11-16T09:30:00Z."
        ) from error


def reject_unknown_parameters(request: HttpRequest, *known: str) -> None:
    """Refuses unknown parameters: a misspelt filter must not silently return everything."""
    for name in request.GET:
        if name not in known:
            raise BadParameter(f"There is no parameter {name[:60]} here. There are: {', '.join(known) or 'none'}.")
        if len(request.GET.getlist(name)) > 1:
            raise BadParameter(f"The parameter {name} is there twice.")
        if "\x00" in request.GET[name]:
            raise BadParameter(f"The parameter {name} has a zero byte in it.")
