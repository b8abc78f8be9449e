"""Pages that go on where the last one ended, in the order of the log: nothing is skipped while records come in."""

import base64
import binascii
from datetime import UTC, datetime

from django.http import HttpRequest
from django.utils.dateparse import parse_datetime

from compliance.inspectorate.errors import BadParameter
from rounds.ledger.merkle import MAX_SIZE

PAGE_SIZE, LARGEST_PAGE = 100, 200
# Entries are sent as they are stored, without a proof each.
MOST_ENTRIES = 500
MARK = "v1:"


def write_cursor(last: int) -> str:
    """Opaque on purpose, so that what it holds may change."""
    return base64.urlsafe_b64encode(f"{MARK}{last}".encode()).decode().rstrip("=")


def read_cursor(request: HttpRequest) -> int:
    """After which number to go on; -1 from the beginning."""
    text = request.GET.get("cursor", "")
    if not text:
        return -1
    try:
        words = base64.urlsafe_b64decode(f"{text}{'=' * (-len(text) % 4)}".encode("ascii")).decode("ascii")
    except (ValueError, binascii.Error):
        words = ""
    number = words.removeprefix(MARK)
    if not words.startswith(MARK) or not number.isdigit() or int(number[:20]) > MAX_SIZE:
        raise BadParameter("The cursor is none that this service gave out.")
    return int(number)


def read_limit(request: HttpRequest) -> int:
    return read_number(request, "limit", PAGE_SIZE, least=1, most=LARGEST_PAGE)


def read_number(request: HttpRequest, name: str, otherwise: int, *, least: int = 0, most: int = MAX_SIZE) -> int:
    text = request.GET.get(name, str(otherwise))
    if not (text.isascii() and text.isdigit() and least <= int(text[:20]) <= most):
        raise BadParameter(f"The {name} must be a whole number from {least} to {most}.")
    return int(text)


def read_instant(request: HttpRequest, name: str) -> datetime | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    try:
        # A plus in an address is a space, unless it was escaped.
        instant = parse_datetime(text.replace(" ", "+"))
        if instant is None or instant.tzinfo is None:
            raise ValueError
        # In UTC, because PostgreSQL does not know every offset that Python reads.
        return instant.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadParameter(
            f"The parameter {name} must be a time with its zone, such as 2026-11-16T09:30:00Z."
        ) from error


def check_names(request: HttpRequest, *known: str) -> None:
    """A misspelt filter must not quietly give everything."""
    for name in request.GET:
        if name not in known:
            raise BadParameter(f"There is no parameter {name[:60]} here. There are: {', '.join(known) or 'none'}.")
        if len(request.GET.getlist(name)) > 1:
            raise BadParameter(f"The parameter {name} is there twice.")
        if "\x00" in request.GET[name]:
            raise BadParameter(f"The parameter {name} has a zero byte in it.")
