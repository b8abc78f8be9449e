"""The exact leaf bytes of an entry."""

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest

from rounds.transparency_log.errors import EntryError
from rounds.transparency_log.formats.leaf import (
    EntryHeader,
    encode_body,
    leaf_bytes,
    make_header,
    make_leaf,
    parse_header,
    split_leaf,
)

AT = datetime(2025, 3, 1, 10, 0, 0, 42, tzinfo=UTC)
HEADER = (
    b'{"controller":"shaker-7","kind":"round","log":"harbour","recorded_at":"2025-03-01T10:00:00.000042Z",'
    b'"schema":1,"sequence":12,"table":"SB-7"}'
)


def test_a_controllers_header_has_exactly_these_bytes() -> None:
    made = make_header(kind="round", log="harbour", recorded_at=AT, table="SB-7", controller="shaker-7", sequence=12)
    assert made == HEADER


def test_a_persons_act_has_no_table_controller_or_sequence() -> None:
    assert make_header(kind="ruling", log="site", recorded_at=AT) == (
        b'{"controller":null,"kind":"ruling","log":"site","recorded_at":"2025-03-01T10:00:00.000042Z",'
        b'"schema":1,"sequence":null,"table":null}'
    )


def test_an_instant_is_written_in_utc_whatever_its_zone() -> None:
    sydney = AT.astimezone(timezone(timedelta(hours=11)))
    assert make_header(kind="ruling", log="site", recorded_at=sydney) == make_header(
        kind="ruling", log="site", recorded_at=AT
    )


def test_the_leaf_is_header_newline_body_byte_for_byte() -> None:
    body = b'{ "dice": [4,4,4],\n "a":1 }'
    leaf = make_leaf(HEADER, body)
    assert leaf_bytes(leaf.header, leaf.body) == HEADER + b"\n" + body
    assert leaf.leaf_hash == sha256(b"\x00" + HEADER + b"\n" + body).digest()
    assert split_leaf(HEADER + b"\n" + body) == (HEADER, body)


def test_a_leaf_without_a_newline_is_refused() -> None:
    with pytest.raises(EntryError):
        split_leaf(HEADER)


@pytest.mark.parametrize("name", ["", "x" * 201, "a\nb", "a\u2028b", "\ud800", "a\0"])
@pytest.mark.parametrize("field", ["kind", "log", "table", "controller"])
def test_a_name_that_cannot_be_written_is_refused(field: str, name: str) -> None:
    names: dict[str, str] = {"kind": "round", "log": "harbour", field: name}
    with pytest.raises(EntryError) as refused:
        make_header(recorded_at=AT, **names)  # type: ignore[arg-type]
    assert refused.value.field == f"/{field}"


@pytest.mark.parametrize(("sequence", "is_fine"), [(-1, False), (0, True), (2**53 - 1, True), (2**53, False)])
def test_a_sequence_runs_from_0_to_the_last_exact_integer(sequence: int, is_fine: bool) -> None:
    if is_fine:
        assert parse_header(make_header(kind="a", log="b", recorded_at=AT, sequence=sequence)).sequence == sequence
        return
    with pytest.raises(EntryError) as refused:
        make_header(kind="a", log="b", recorded_at=AT, sequence=sequence)
    assert refused.value.field == "/sequence"


@pytest.mark.parametrize("instant", [AT.replace(tzinfo=None), AT.replace(year=999)])
def test_an_instant_without_zone_or_before_the_year_1000_is_refused(instant: datetime) -> None:
    with pytest.raises(EntryError) as refused:
        make_header(kind="a", log="b", recorded_at=instant)
    assert refused.value.field == "/recorded_at"


def test_a_stored_header_is_read_only_in_its_canonical_spelling() -> None:
    assert parse_header(HEADER) == EntryHeader(
        kind="round",
        log="harbour",
        recorded_at="2025-03-01T10:00:00.000042Z",
        table="SB-7",
        controller="shaker-7",
        sequence=12,
    )
    for other in (b"", b"[]", b"\xff", HEADER + b" ", HEADER.replace(b":12", b": 12"), HEADER[:-1] + b',"x":1}'):
        with pytest.raises(EntryError):
            parse_header(other)


def test_a_record_of_the_service_is_written_canonically() -> None:
    record = {"b": [1, {"z": None, "a": True}], "a": 'é\u2028/\x1f"', "": (2,)}
    assert encode_body(record) == '{"":[2],"a":"é\u2028/\\u001f\\"","b":[1,{"a":true,"z":null}]}'.encode()


def test_members_are_sorted_by_utf_16_units_as_rfc_8785_says() -> None:
    """The example of RFC 8785, 3.2.3."""
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    body = encode_body(dict.fromkeys(names, 0)).decode()
    assert [name for name, _ in sorted(((n, body.index(_quoted(n))) for n in names), key=lambda pair: pair[1])] == [
        "\r",
        "1",
        "\u0080",
        "\u00f6",
        "\u20ac",
        "\U0001f600",
        "\ufb33",
    ]


def _quoted(name: str) -> str:
    return '"\\r"' if name == "\r" else f'"{name}"'


@pytest.mark.parametrize(
    ("record", "code", "field"),
    [
        ({"odds": 8.5}, "not-canonical", "/odds"),
        ({"at": AT}, "not-canonical", "/at"),
        ({"list": [1, b"x"]}, "not-canonical", "/list/1"),
        ({1: "x"}, "not-canonical", ""),
        ({"stake": 2**53}, "integer-too-large", "/stake"),
        ({"note": "\ud800"}, "bad-text", ""),
        ({"note": "\0"}, "bad-text", "/note"),
    ],
)
def test_a_record_that_has_no_canonical_form_is_refused(record: dict[str, object], code: str, field: str) -> None:
    with pytest.raises(EntryError) as refused:
        encode_body(record)
    assert (refused.value.code, refused.value.field) == (code, field)
