"""Strict JSON: ambiguous bodies are refused with a code and the field; all others are accepted unchanged."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.transparency_log.errors import EntryError
from rounds.transparency_log.formats.strict_json import parse_strict_object

REFUSED = [
    (b"", "not-json", ""),
    (b"{", "not-json", ""),
    (b'{"a":1,}', "not-json", ""),
    (b"{'a':1}", "not-json", ""),
    (b'{"a":1} {"b":2}', "not-json", ""),
    (b'{"a":01}', "not-json", ""),
    (b'{"a":"line\nbreak"}', "not-json", ""),
    (b'\xef\xbb\xbf{"a":1}', "not-json", ""),
    (b"[]", "not-an-object", ""),
    (b'"text"', "not-an-object", ""),
    (b"null", "not-an-object", ""),
    (b"7", "not-an-object", ""),
    (b'{"a":1,"a":1}', "repeated-member", "/a"),
    (b'{"a":1,"\\u0061":2}', "repeated-member", "/a"),
    (b'{"wagers":[{"stake":1},{"stake":1,"bet":"big","stake":2}]}', "repeated-member", "/wagers/1/stake"),
    (b'{"a/b":{"c~d":1,"c~d":2}}', "repeated-member", "/a~1b/c~0d"),
    (b'{"":{"":1,"":2}}', "repeated-member", "//"),
    (b'{"stake":NaN}', "not-a-number", "/stake"),
    (b'{"wagers":[1,Infinity]}', "not-a-number", "/wagers/1"),
    (b'{"stake":-Infinity}', "not-a-number", "/stake"),
    (b'{"stake":1e999}', "not-a-number", "/stake"),
    (b'{"stake":9007199254740992}', "integer-too-large", "/stake"),
    (b'{"wagers":[{"stake":-9007199254740992}]}', "integer-too-large", "/wagers/0/stake"),
    (b'{"stake":123456789012345678901234567890}', "integer-too-large", "/stake"),
    (b'{"stake":' + b"9" * 5000 + b"}", "integer-too-large", "/stake"),
    (b'{"player":"\xff"}', "not-utf-8", "/player"),
    (b'{"seats":["a","\xc3"]}', "not-utf-8", "/seats/1"),
    (b'{"player":"\xed\xa0\x80"}', "not-utf-8", "/player"),
    (b'{"player":"\xc0\x80"}', "not-utf-8", "/player"),
    (b'{"a":{"\xff":1}}', "not-utf-8", "/a"),
    (b"\xff", "not-utf-8", ""),
    (b'{"player":"\\ud800"}', "bad-text", "/player"),
    (b'{"player":"\\udc80"}', "bad-text", "/player"),
    (b'{"player":"a\\u0000"}', "bad-text", "/player"),
    (b'{"\\u0000":1}', "bad-text", ""),
]


@pytest.mark.parametrize(("body", "code", "field"), REFUSED, ids=[str(body[:40]) for body, _, _ in REFUSED])
def test_refused_with_the_field(body: bytes, code: str, field: str) -> None:
    with pytest.raises(EntryError) as refused:
        parse_strict_object(body)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert refused.value.sentence.endswith(".")


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b' {"a" : 1 }\r\n',
        b'{"b":1,"a":2}',
        b'{"a":{"x":1},"b":{"x":1}}',
        b'{"stake":9007199254740991,"lost":-9007199254740991}',
        b'{"id":"12345678901234567890","digits":"9007199254740992"}',
        b'{"share":0.25,"same":2.50,"large":1e3,"minus":-0}',
        '{"note":"é \\u00e9 \U0001f3b2 \\ud83c\\udfb2 \\/ \\n"}'.encode(),
        b'{"text":"]]]}}} {{{ [[["}',
        b'{"yes":true,"no":false,"none":null,"list":[[],{}]}',
    ],
)
def test_accepted_as_it_stands(body: bytes) -> None:
    assert parse_strict_object(body) == json.loads(body)


def test_three_mebibytes_are_the_most() -> None:
    body = b'{"note":"' + b"x" * (3 * 1024 * 1024 - 11) + b'"}'
    assert len(body) == 3_145_728
    parse_strict_object(body)
    with pytest.raises(EntryError) as refused:
        parse_strict_object(body + b" ")
    assert refused.value.code == "too-large"


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_64_levels_are_the_most(opening: bytes, closing: bytes) -> None:
    def nested(levels: int) -> bytes:
        return b'{"top":' + opening * (levels - 1) + b"1" + closing * (levels - 1) + b"}"

    parse_strict_object(nested(64))
    for levels in (65, 900, 100_000):
        with pytest.raises(EntryError) as refused:
            parse_strict_object(nested(levels))
        assert refused.value.code == "too-deep"


def test_64_levels_are_the_most_when_brackets_stand_in_texts_too() -> None:
    deepest = b'{"t":"]","top":' + b"[" * 63 + b"1" + b"]" * 63 + b"}"
    parse_strict_object(deepest)
    with pytest.raises(EntryError):
        parse_strict_object(deepest.replace(b"1", b"[1]"))


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(codec="ascii"), max_size=4).filter(lambda name: "\0" not in name), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["stake", "é", "a/b"]), json_values), st.booleans(), st.sampled_from([None, 1]))
def test_any_clean_record_is_read_as_the_standard_library_reads_it(
    record: dict[str, Any], is_ascii: bool, indent: int | None
) -> None:
    body = json.dumps(record, ensure_ascii=is_ascii, indent=indent).encode()
    assert parse_strict_object(body) == record


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    try:
        record = parse_strict_object(b'{"a":' + body + b"}")
    except EntryError:
        return
    assert "a" in record
