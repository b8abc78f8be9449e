"""Strict JSON: a body is accepted only if every parser reads it the same way; otherwise the error names the field.

The fast path only ever accepts bodies that are certainly clean; all others go through the slow, exact one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import msgspec

from rounds.transparency_log.errors import EntryError

# Twice a round of ten thousand wagers. With every quote escaped it still fits into one line of a bundle's verifier.
MAX_BODY_BYTES = 3 * 1024 * 1024
MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1

_NON_BRACKET_BYTES = bytes(sorted(set(range(256)) - set(b"[]{}")))
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_SIXTEEN_DIGITS = b"0" * len(str(MAX_INTEGER))
_NUL_ESCAPE = rb"\u0000"
_NAME_ENDS = b'":'


def parse_strict_object(body: bytes) -> dict[str, Any]:
    """Parse a body. Raises EntryError unless it is one JSON object with a single possible meaning."""
    if len(body) > MAX_BODY_BYTES:
        raise EntryError("too-large", f"The record is {len(body)} bytes long; the most allowed is {MAX_BODY_BYTES}.")
    record = _parse_fast_path(body)
    return _parse_slow_path(body) if record is None else record


def validate_strict_object(body: bytes, reencoded: bytes | None) -> None:
    """Refuse a body that `parse_strict_object` would refuse, without parsing it again where possible.

    `reencoded` is the body as the caller's decoder encoded it again. That decoder must know every member by name, keep
    all of them, and accept only integers up to MAX_INTEGER. The one thing it cannot notice is a repeated member: the
    body then has more members than `reencoded`. Identical bytes have none.
    """
    if (
        reencoded is None
        or len(body) > MAX_BODY_BYTES
        or not (body == reencoded or _has_same_member_count(body, reencoded))
    ):
        parse_strict_object(body)


def _has_same_member_count(body: bytes, reencoded: bytes) -> bool:
    """Compares how often a quote and colon end a member's name, after excluding texts and spaces that look like it."""
    is_countable = b"\\" not in body and b"\t" not in body and b"\r" not in body and b" :" not in body
    return is_countable and body.count(_NAME_ENDS) == reencoded.count(_NAME_ENDS)


def _parse_fast_path(body: bytes) -> dict[str, Any] | None:
    if _SIXTEEN_DIGITS in body.translate(_DIGITS_TO_ZERO) or _NUL_ESCAPE in body or not _is_within_depth(body):
        return None
    try:
        record = msgspec.json.decode(body)
        # Decoding drops repeated members, so the two encodings agree only if there is none. The same holds for all
        # spellings that parsers might read differently. The few bodies where they differ take the slow path.
        is_clean = type(record) is dict and msgspec.json.encode(record) == msgspec.json.format(body, indent=-1)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return record if is_clean else None


def _is_within_depth(body: bytes) -> bool:
    """Whether nesting is certainly within the limit. Each pass removes the innermost pairs of brackets; brackets inside
    texts can only lead to a false "no".
    """
    brackets = body.translate(None, _NON_BRACKET_BYTES)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return True
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return not brackets


class _Members(list[tuple[str, Any]]):
    """An object's members as written, repeated ones included."""


class _NotANumber(NamedTuple):
    written: str


class _HugeInteger(NamedTuple):
    digits: int


def _parse_integer(written: str) -> int | _HugeInteger:
    # Python refuses to convert thousands of digits. The length alone shows that such a number is too large.
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
    # With this error handler bytes that are not UTF-8 become lone surrogates, which are reported after parsing.
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
    """The plain value, after checking that nothing in it is ambiguous."""
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
    names: set[str] = set()
    for name, value in members:
        _check_text(name, field)
        pointer = _append_json_pointer(field, name)
        if name in names:
            raise EntryError("repeated-member", f"{pointer} is given twice.", pointer)
        names.add(name)
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
