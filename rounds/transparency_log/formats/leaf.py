"""The leaf bytes of an entry: a canonical JSON header with the server's facts, a newline, the body byte for byte.

The header never contains a newline, so the first one always separates the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from rounds.transparency_log.errors import EntryError
from rounds.transparency_log.formats.strict_json import MAX_INTEGER, parse_strict_object

SCHEMA_VERSION = 1
MAX_NAME_CHARACTERS = 200


class EntryHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What the server records about an entry: kind, log, time, and which controller numbered it.

    ``table``, ``controller`` and ``sequence`` are null for acts of people. The fields are declared in alphabetical
    order, which makes their encoding canonical (RFC 8785).
    """

    controller: str | None = None
    kind: str
    log: str
    recorded_at: str
    schema: int = SCHEMA_VERSION
    sequence: int | None = None
    table: str | None = None


class Leaf(msgspec.Struct, frozen=True):
    """The header, body and hash of an entry that is ready to be appended."""

    header: bytes
    body: bytes
    leaf_hash: bytes


def make_header(
    *,
    kind: str,
    log: str,
    recorded_at: datetime,
    table: str | None = None,
    controller: str | None = None,
    sequence: int | None = None,
) -> bytes:
    """Encode the header. Raises EntryError if a fact is missing or has more than one possible encoding."""
    if sequence is not None and not 0 <= sequence <= MAX_INTEGER:
        raise EntryError("bad-sequence", f"The sequence must be from 0 to {MAX_INTEGER}.", "/sequence")
    before, after = _header_around_sequence(kind, log, _require_utc(recorded_at), table, controller)
    return b"%b%b%b" % (before, b"null" if sequence is None else b"%d" % sequence, after)


def leaf_hasher(log: str) -> Callable[[str, datetime, str | None, str | None, int | None, bytes], bytes]:
    """Returns a function that hashes entries of this log one after the other, like `make_header` and `hash_leaf_parts`.

    It caches the header, because consecutive entries usually differ only in sequence and body. Facts from which no
    header can be made give an empty hash.
    """
    facts: tuple[str, datetime, str | None, str | None] | None = None
    before = after = b""

    def hash_next(
        kind: str, recorded_at: datetime, table: str | None, controller: str | None, sequence: int | None, body: bytes
    ) -> bytes:
        nonlocal facts, before, after
        if facts != (kind, recorded_at, table, controller):
            facts = None
            try:
                before, after = _header_around_sequence(kind, log, _require_utc(recorded_at), table, controller)
            except EntryError:
                return b""
            facts = (kind, recorded_at, table, controller)
        if sequence is None:
            return sha256(b"\x00%bnull%b\n%b" % (before, after, body)).digest()
        if not 0 <= sequence <= MAX_INTEGER:
            return b""
        return sha256(b"\x00%b%d%b\n%b" % (before, sequence, after, body)).digest()

    return hash_next


# Entries of a batch differ only in their sequence, so the rest of the header is cached. Errors are not cached.
@lru_cache(maxsize=1024)
def _header_around_sequence(
    kind: str, log: str, recorded_at: datetime, table: str | None, controller: str | None
) -> tuple[bytes, bytes]:
    """The header's bytes before and after the sequence. The marker is unambiguous: quotes inside names are escaped."""
    _check_name("kind", kind)
    _check_name("log", log)
    if table is not None:
        _check_name("table", table)
    if controller is not None:
        _check_name("controller", controller)
    header = EntryHeader(kind=kind, log=log, recorded_at=_encode_utc(recorded_at), table=table, controller=controller)
    before, member, after = msgspec.json.encode(header).partition(b'"sequence":')
    return before + member, after.removeprefix(b"null")


def _check_name(field: str, name: str) -> None:
    if not name or len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
        raise EntryError(
            "bad-name", f"The {field} must be 1 to {MAX_NAME_CHARACTERS} printable characters.", f"/{field}"
        )


def encode_timestamp(instant: datetime) -> str:
    """Encode a time in its only allowed form: UTC, six decimals, Z."""
    return _encode_utc(_require_utc(instant))


def _require_utc(instant: datetime) -> datetime:
    if instant.tzinfo is UTC:
        return instant
    if instant.utcoffset() is None:
        raise EntryError("no-time-zone", "The instant must say its time zone.", "/recorded_at")
    return instant.astimezone(UTC)


# All entries of a batch have the same time. Only UTC is cached: in other zones two different instants can compare equal
# in Python.
@lru_cache(maxsize=64)
def _encode_utc(instant: datetime) -> str:
    if instant.year < 1000:
        raise EntryError("bad-instant", "The instant must lie after the year 999.", "/recorded_at")
    return instant.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def parse_header(header: bytes) -> EntryHeader:
    """Parse a stored header. Raises EntryError unless the bytes are the canonical encoding."""
    try:
        facts = msgspec.json.decode(header, type=EntryHeader)
    except (msgspec.MsgspecError, UnicodeError):
        raise EntryError("bad-header", "The header is not the record of an entry's facts.") from None
    if msgspec.json.encode(facts) != header:
        raise EntryError("bad-header", "The header is not in its canonical spelling.")
    return facts


def leaf_bytes(header: bytes, body: bytes) -> bytes:
    return header + b"\n" + body


def split_leaf(leaf: bytes) -> tuple[bytes, bytes]:
    header, newline, body = leaf.partition(b"\n")
    if not newline:
        raise EntryError("bad-leaf", "A leaf is a header, a newline and a body.")
    return header, body


def make_leaf(header: bytes, body: bytes) -> Leaf:
    """The leaf of a body that ``parse_strict_object`` has accepted."""
    return Leaf(header, body, hash_leaf_parts(header, body))


def hash_leaf_parts(header: bytes, body: bytes) -> bytes:
    """Same as `leaf_hash` of the leaf's bytes, without building them twice."""
    return sha256(b"\x00%b\n%b" % (header, body)).digest()


def encode_body(record: Mapping[str, Any]) -> bytes:
    """Canonical bytes of a body (RFC 8785): members sorted, no white space, integers and texts only.

    For bodies the service writes itself. Fractions and money never pass through floats, so a float is a programming
    error.
    """
    try:
        body = msgspec.json.encode(_canonical_value(record, ""))
    except UnicodeEncodeError:
        raise EntryError("bad-text", "The record holds half a surrogate pair, which is no character.") from None
    parse_strict_object(body)
    return body


def _canonical_value(value: Any, field: str) -> Any:
    if isinstance(value, Mapping):
        # RFC 8785 sorts by UTF-16 code units, which differs from Python's order outside the Basic Multilingual Plane.
        names = sorted(value, key=lambda name: str(name).encode("utf-16-be", "surrogatepass"))
        return {_check_member_name(name, field): _canonical_value(value[name], f"{field}/{name}") for name in names}
    if isinstance(value, list | tuple):
        return [_canonical_value(item, f"{field}/{position}") for position, item in enumerate(value)]
    if isinstance(value, str):
        # As a plain text: msgspec encodes no subclass of str, such as EntryKind.
        return str(value)
    if value is None or isinstance(value, bool | int):
        return value
    raise EntryError("not-canonical", f"{field} is a {type(value).__name__}: write it as a text or an integer.", field)


def _check_member_name(name: object, field: str) -> str:
    if not isinstance(name, str):
        raise EntryError("not-canonical", f"{field or 'The record'} has a member whose name is not a text.", field)
    return name
