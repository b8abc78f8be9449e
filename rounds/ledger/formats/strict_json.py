"""JSON that every reader reads alike: one meaning for each record, or it is refused with the field named.

The quick path only ever proves a record clean; whatever it is unsure of goes through the careful one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import msgspec

from rounds.ledger.errors import EntryError

# A round of ten thousand wagers, twice over; and in a bundle, with every quote escaped, still one line of its verifier.
MAX_BODY_BYTES = 3 * 1024 * 1024
MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1

_NON_BRACKET_BYTES = bytes(sorted(set(range(256)) - set(b"[]{}")))
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_SIXTEEN_DIGITS = b"0" * len(str(MAX_INTEGER))
_NUL_ESCAPE = rb"\u0000"
_NAME_ENDS = b'":'


def parse_strict_object(body: bytes) -> dict[str, Any]:
    """The record in a body, refused unless it is one JSON object with a single possible meaning."""
    if len(body) > MAX_BODY_BYTES:
        raise EntryError("too-large", f"The record is {len(body)} bytes long; the most allowed is {MAX_BODY_BYTES}.")
    record = _parse_fast_path(body)
    return _parse_slow_path(body) if record is None else record


def validate_strict_object(body: bytes, reencoded: bytes | None) -> None:
    """Refuse a body that `read_object` would refuse, without reading it once more where that can be helped.

    `again` is the record as its reader wrote it down after reading: one that knows every member by name, keeps each of
    them, and takes no number but whole ones up to MAX_INTEGER. What such a reader cannot see is a member given twice;
    then the body has one member more than what was written down. Bytes that are the very same have none.
    """
    if (
        reencoded is None
        or len(body) > MAX_BODY_BYTES
        or not (body == reencoded or _has_same_member_count(body, reencoded))
    ):
        parse_strict_object(body)


def _has_same_member_count(body: bytes, reencoded: bytes) -> bool:
    """Counted by the quote and colon that end a member's name, once nothing can stand between or look like them."""
    is_countable = b"\\" not in body and b"\t" not in body and b"\r" not in body and b" :" not in body
    return is_countable and body.count(_NAME_ENDS) == reencoded.count(_NAME_ENDS)


def _parse_fast_path(body: bytes) -> dict[str, Any] | None:
    if _SIXTEEN_DIGITS in body.translate(_DIGITS_TO_ZERO) or _NUL_ESCAPE in body or not _is_within_depth(body):
        return None
    try:
        record = msgspec.json.decode(body)
        # A repeated member is lost by decoding, so the two agree only where there is none. The same holds for every
        # spelling that readers might take differently: those few records are read carefully.
        is_clean = type(record) is dict and msgspec.json.encode(record) == msgspec.json.format(body, indent=-1)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return record if is_clean else None


def _is_within_depth(body: bytes) -> bool:
    """Each pass takes away the innermost pairs of brackets; brackets inside texts only make this less sure."""
    brackets = body.translate(None, _NON_BRACKET_BYTES)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return True
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return not brackets


class _Members(list[tuple[str, Any]]):
    """An object's members as they were written, repeated ones included."""


class _NotANumber(NamedTuple):
    written: str


class _HugeInteger(NamedTuple):
    digits: int


def _parse_integer(written: str) -> int | _HugeInteger:
    # Python refuses to convert thousands of digits; the length alone tells that such a number is too large.
    return int(written) if len(written) <= 20 else _HugeInteger(len(written.lstrip("-")))


def _parse(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_Members, parse_constant=_NotANumber, parse_int=_parse_integer)


def _parse_slow_path(body: bytes) -> dict[str, Any]:
    try:
        members = _parse(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        sentence = f"The record is not valid UTF-8: see byte {error.start + 1}."
        raise EntryError("not-utf-8", sentence, _field_of_bad_bytes(body)) from None
    except json.JSONDecodeError as error:
        raise EntryError("not-json", f"The record is not valid JSON: see character {error.pos + 1}.") from None
    except RecursionError:
        _too_deep_error("")
    if not isinstance(members, _Members):
        raise EntryError("not-an-object", "The record must be a JSON object: { … }.")
    record: dict[str, Any] = _validated_value(members, "", 1)
    return record


def _field_of_bad_bytes(body: bytes) -> str:
    # Decoded this way, bytes that are not UTF-8 become lone surrogates, which can be looked for once parsed.
    try:
        return _find_bad_bytes(_parse(body.decode("utf-8", "surrogateescape")), "") or ""
    except (ValueError, RecursionError):
        return ""


def _find_bad_bytes(value: Any, field: str) -> str | None:
    if isinstance(value, str):
        return None if _has_no_surrogates(value) else field
    members = value if isinstance(value, _Members) else enumerate(value) if isinstance(value, list) else ()
    for name, child in members:
        if not _has_no_surrogates(str(name)):
            return field
        found = _find_bad_bytes(child, _append_json_pointer(field, str(name)))
        if found is not None:
            return found
    return None


def _append_json_pointer(field: str, name: str) -> str:
    return f"{field}/{name.replace('~', '~0').replace('/', '~1')}"


def _too_deep_error(field: str) -> NoReturn:
    raise EntryError("too-deep", f"The record is nested more than {MAX_DEPTH} levels deep.", field)


def _validated_value(value: Any, field: str, depth: int) -> Any:
    """The plain value, once everything in it was found to be unambiguous."""
    if isinstance(value, _Members):
        return dict(_validated_members(value, field, depth))
    if isinstance(value, list):
        _check_depth(field, depth)
        return [_validated_value(item, f"{field}/{position}", depth + 1) for position, item in enumerate(value)]
    if isinstance(value, str):
        _check_text(value, field)
    else:
        _check_number(value, field)
    return value


def _validated_members(members: _Members, field: str, depth: int) -> Iterator[tuple[str, Any]]:
    _check_depth(field, depth)
    seen: set[str] = set()
    for name, value in members:
        _check_text(name, field)
        pointer = _append_json_pointer(field, name)
        if name in seen:
            raise EntryError("repeated-member", f"{pointer} is given twice.", pointer)
        seen.add(name)
        yield name, _validated_value(value, pointer, depth + 1)


def _check_depth(field: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        _too_deep_error(field)


def _check_text(text: str, field: str) -> None:
    if "\0" not in text and _has_no_surrogates(text):
        return
    what = (
        "the NUL character, which cannot be stored" if "\0" in text else "half a surrogate pair, which is no character"
    )
    raise EntryError("bad-text", f"{field or 'The record'} holds {what}.", field)


def _has_no_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_number(value: Any, field: str) -> None:
    if isinstance(value, _NotANumber) or (isinstance(value, float) and not math.isfinite(value)):
        raise EntryError("not-a-number", f"{field} must be a finite number.", field)
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, _HugeInteger) or (is_integer and abs(value) > MAX_INTEGER):
        raise EntryError(
            "integer-too-large", f"{field} is past {MAX_INTEGER}, the last integer every reader keeps exactly.", field
        )
