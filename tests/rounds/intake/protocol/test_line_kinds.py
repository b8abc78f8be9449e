"""Every kind of line: its example parses, and malformed variants are refused with their own code and field."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from rounds.engine.pack.vocabulary import EventName
from rounds.intake.protocol.envelope import LINE_KINDS, LINE_TYPES, encode_line, line_schemas, parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.examples import BODIES, example_bytes, example_line
from rounds.intake.protocol.parse import parse_lines
from rounds.intake.protocol.round import RoundEventName
from rounds.transparency_log.formats.strict_json import MAX_INTEGER

# From the specification: one kind for each thing that a table does or reports under the rule documents.
NAMES = [
    *("round", "correction", "heartbeat", "table-opened", "table-closed", "sign-shown", "sign-removed"),
    *("limits-changed", "posted-odds-shown", "fault", "fault-cleared", "inspection", "dice-placed", "dice-removed"),
    *("shaker-placed", "shaker-removed", "shoe-changed", "deck-count", "foreign-card", "streak-state"),
    *("terminal-interrupted", "terminal-restored", "chips-issued", "chips-redeemed", "voucher-exchanged"),
]


def test_the_kinds_are_these() -> None:
    assert sorted(kind.name for kind in LINE_KINDS) == sorted(NAMES)
    assert sorted(BODIES) == sorted(NAMES)


@pytest.mark.parametrize("kind", NAMES)
def test_each_example_is_read_and_written_again_with_the_same_meaning(kind: str) -> None:
    read = parse_line(example_bytes(kind))
    assert (read.kind, read.table, read.sequence) == (kind, "sb-03", 42)
    again = encode_line(kind=kind, table=read.table, sequence=read.sequence, at=read.at, body=read.body)
    assert parse_line(again) == read


def test_a_round_knows_every_event_of_the_rule_packs_but_the_one_they_work_out() -> None:
    assert set(RoundEventName.__args__) == set(EventName.__args__) - {"no-more-bets"}  # type: ignore[attr-defined]


def test_every_kind_has_a_schema() -> None:
    schemas = line_schemas()
    assert {schemas[one.__name__]["properties"]["kind"]["enum"][0] for one in LINE_TYPES.values()} == set(NAMES)


def bad_round(change: Callable[[dict[str, Any]], object]) -> bytes:
    line = json.loads(example_bytes("round"))
    change(line)
    return json.dumps(line).encode()


def set_member(path: str, value: Any) -> Callable[[dict[str, Any]], object]:
    def change(line: dict[str, Any]) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.strip("/").split("/")]
        place: Any = line
        for step in steps:
            place = place[step]
        place[last] = value

    return change


MALFORMED = [
    ("unknown-kind", "/kind", set_member("/kind", "rounds")),
    ("missing-member", "/at", lambda line: line.pop("at")),
    ("unknown-member", "/body/dicee", set_member("/body/dicee", [1, 2, 3])),
    ("unknown-member", "/body/wagers/1/odds", set_member("/body/wagers/1/odds", "8 to 1")),
    ("bad-sequence", "/sequence", set_member("/sequence", 0)),
    ("bad-sequence", "/sequence", set_member("/sequence", -1)),
    ("bad-sequence", "/sequence", set_member("/sequence", "41")),
    ("bad-table", "/table", set_member("/table", "Table 3")),
    ("bad-table", "/table", set_member("/table", "sb-03\n")),
    ("no-time-zone", "/at", set_member("/at", "2026-11-16T20:42:21")),
    ("no-time-zone", "/body/wagers/0/placed_at", set_member("/body/wagers/0/placed_at", "2026-11-16T20:42:21")),
    ("bad-value", "/at", set_member("/at", "yesterday")),
    ("bad-dice", "/body/dice/2", set_member("/body/dice", [1, 2, 7])),
    ("bad-dice", "/body/dice/0", set_member("/body/dice", [0, 2, 6])),
    ("bad-dice", "/body/dice", set_member("/body/dice", [1, 2, 3, 4])),
    ("bad-dice", "/body/dice", set_member("/body/dice", [1, 2])),
    ("bad-dice", "/body/dice/0", set_member("/body/dice", [True, 2, 3])),
    ("bad-dice", "/body/called/faces/1", set_member("/body/called/faces", [1, 9, 3])),
    ("two-results", "/body/cards", set_member("/body/cards", [1, 2, 3])),
    ("no-outcome", "/body/dice", lambda line: line["body"].pop("dice")),
    ("unknown-reason", "/body/no_result/reason", set_member("/body/no_result", {"reason": "bad luck"})),
    ("no-events", "/body/events", set_member("/body/events", [])),
    ("unknown-bet", "/body/wagers/0/bet", set_member("/body/wagers/0/bet", "red")),
    ("unknown-bet", "/body/wagers/0/bet", set_member("/body/wagers/0/bet", "pair:2-1")),
    ("unknown-bet", "/body/lit/0", set_member("/body/lit", ["smal"])),
    ("bad-stake", "/body/wagers/0/stake", set_member("/body/wagers/0/stake", -100)),
    ("bad-stake", "/body/wagers/0/stake", set_member("/body/wagers/0/stake", 0)),
    ("bad-stake", "/body/wagers/0/stake", set_member("/body/wagers/0/stake", 100_000_000_001)),
    ("bad-stake", "/body/wagers/0/stake", set_member("/body/wagers/0/stake", 25.5)),
    ("unknown-tender", "/body/wagers/0/tender", set_member("/body/wagers/0/tender", "iou")),
    ("bad-player", "/body/wagers/0/player", set_member("/body/wagers/0/player", "4929123412341234")),
    ("bad-player", "/body/wagers/1/player", set_member("/body/wagers/1/player", "p-1\n")),
    ("no-player", "/body/wagers/0/player", lambda line: line["body"]["wagers"][0].pop("player")),
    ("bad-value", "/body/wagers/1/terminal", set_member("/body/wagers/1/terminal", "Terminal 1")),
    ("bad-returned", "/body/wagers/0/returned", set_member("/body/wagers/0/returned", -1)),
    ("bad-returned", "/body/wagers/0/returned", lambda line: line["body"]["wagers"][0].pop("returned")),
    ("bad-returned", "/body/wagers/0/returned", set_member("/body/wagers/0/verdict", "open")),
    ("repeated-wager", "/body/wagers/1/id", set_member("/body/wagers/1/id", "0041-1")),
    ("bad-value", "/body/wagers/0/id", set_member("/body/wagers/0/id", "")),
    ("bad-value", "/body/wagers/1/id", set_member("/body/wagers/1/id", "w 2")),
    ("bad-value", "/body/wagers/1/id", set_member("/body/wagers/1/id", "w2\n")),
    ("bad-value", "/body/wagers/1/id", set_member("/body/wagers/1/id", "w2\nw3")),
    ("bad-value", "/body/wagers/1/id", set_member("/body/wagers/1/id", "w" * 65)),
    ("bad-value", "/body/wagers/1/id", set_member("/body/wagers/1/id", 2)),
    ("no-stake", "/body/wagers/1/changes/0/stake", lambda line: line["body"]["wagers"][1]["changes"][0].pop("stake")),
    ("no-bet", "/body/wagers/1/changes/0/bet", set_member("/body/wagers/1/changes/0/what", "moved")),
]


@pytest.mark.parametrize(("code", "field", "change"), MALFORMED, ids=lambda one: one if isinstance(one, str) else "")
def test_a_malformed_round_is_refused_by_code_and_field(
    code: str, field: str, change: Callable[[dict[str, Any]], object]
) -> None:
    with pytest.raises(MalformedLine) as refused:
        parse_line(bad_round(change))
    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.parametrize("name", ["", "w 2", "w2\n", "w2\nw3", "-w", "w" * 65])
def test_the_name_of_a_wager_is_refused_in_the_words_for_any_name(name: str) -> None:
    said = []
    for path in ("/body/round", "/body/wagers/1/id"):
        with pytest.raises(MalformedLine) as refused:
            parse_line(bad_round(set_member(path, name)))
        said.append((refused.value.code, refused.value.sentence))
    assert said[0] == said[1]


def seat(line: dict[str, Any]) -> list[dict[str, Any]]:
    """Identifies every wager by its seat only and removes changes, so that the fast path of the checks applies."""
    wagers: list[dict[str, Any]] = line["body"]["wagers"]
    for number, wager in enumerate(wagers, 1):
        for member in ("player", "terminal", "changes"):
            wager.pop(member, None)
        wager["seat"] = number
    return wagers


@pytest.mark.parametrize(
    ("code", "member", "change"),
    [
        ("no-player", "player", lambda wager: wager.pop("seat")),
        ("bad-returned", "returned", lambda wager: wager.update(verdict="open")),
        ("bad-returned", "returned", lambda wager: wager.pop("returned")),
    ],
)
def test_one_malformed_wager_among_usual_ones_is_refused(
    code: str, member: str, change: Callable[[dict[str, Any]], object]
) -> None:
    assert parse_line(bad_round(seat)).kind == "round"
    with pytest.raises(MalformedLine) as refused:
        parse_line(bad_round(lambda line: change(seat(line)[1])))
    assert (refused.value.code, refused.value.field) == (code, f"/body/wagers/1/{member}")
    assert refused.value.sentence.endswith(".")


@pytest.mark.parametrize("line", [b"", b"{", b"null", b"[]", b'"round"', b'{"kind":"round"', b"\xff", b" "])
def test_half_a_line_or_none_is_not_json(line: bytes) -> None:
    with pytest.raises(MalformedLine) as refused:
        parse_line(line)
    assert refused.value.code == "not-json"


def test_the_refusal_of_a_misspelt_bet_says_how_it_is_written() -> None:
    with pytest.raises(MalformedLine, match="write it pair:1-2"):
        parse_line(bad_round(set_member("/body/wagers/0/bet", "pair:2-1")))


# All of these breach the gaming rules. Intake accepts them; the audit finds the breaches.
BREACHES = [
    set_member("/body/events/0/count", 2),
    set_member("/body/wagers/0/returned", 100_000),
    set_member("/body/wagers/0/bet", "total:3"),
    set_member("/body/wagers/0/stake", 1),
    set_member("/body/wagers/0/stake", 100_000_000_000),
    set_member("/body/wagers/0/tender", "cash"),
    set_member("/body/events/4/at", "2026-11-16T20:00:00+11:00"),
    set_member("/body/called/faces", [6, 1, 1]),
    set_member("/body/called/total", 99),
    set_member("/body/no_result", {"reason": "not-flat"}),
    set_member("/body/limits", {"min": 5000, "max": 100}),
    set_member("/body/wagers", []),
]


@pytest.mark.parametrize("change", BREACHES)
def test_a_round_that_breaks_a_rule_is_read_as_it_happened(change: Callable[[dict[str, Any]], object]) -> None:
    assert parse_line(bad_round(change)).kind == "round"


def test_odds_posted_in_forbidden_words_are_recorded_and_codes_outside_the_set_are_not() -> None:
    line = example_line("posted-odds-shown")
    line["body"] = {"odds": {"total:4": "60 for 1"}}
    assert parse_line(json.dumps(line).encode()).body.odds == {"total:4": "60 for 1"}
    line["body"] = {"odds": {"total:40": "60 to 1"}}
    with pytest.raises(MalformedLine, match="total:40") as refused:
        parse_line(json.dumps(line).encode())
    assert (refused.value.code, refused.value.field) == ("unknown-bet", "/body/odds")


def test_a_heartbeat_before_the_first_line_has_sequence_nought() -> None:
    assert parse_line(example_bytes("heartbeat", sequence=0)).is_leaf is False


def every_schema(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from every_schema(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from every_schema(part)


def test_reading_a_line_keeps_every_member_and_takes_no_number_that_readers_differ_on() -> None:
    """The assumption of the ledger's fast check for ambiguous JSON: see validate_strict_object."""
    for schema in every_schema(line_schemas()):
        assert schema.get("type") != "number"
        if schema.get("type") == "integer":
            assert -MAX_INTEGER <= schema["minimum"] <= schema["maximum"] <= MAX_INTEGER
        if "properties" in schema:
            assert schema["additionalProperties"] is False


TWICE = [
    (b'"sequence": 42', b'"sequence": 42, "sequence": 42'),
    (b'"seat": 4', b'"seat": 4, "seat": 4'),
    (b'"seat": 4', b'"seat" : 4, "seat": 4'),
    (b'"seat": 4', b'"seat"\t: 4, "seat": 4'),
    (b'"seat": 4', b'"seat": 4, "\\u0073eat": 4'),
    (b'"colour": "blue"', b'"colour": "red", "colour": "blue"'),
]


@pytest.mark.parametrize(("once", "twice"), TWICE)
def test_a_member_given_twice_is_seen_however_it_is_written(once: bytes, twice: bytes) -> None:
    raw = json.dumps(example_line("round")).encode()
    now = datetime(2026, 11, 16, 12, tzinfo=UTC)
    assert once in raw
    read, refused = parse_lines([raw, raw.replace(once, twice, 1)], log="harbour", controller="box-1", now=now)
    assert [one.number for one in read] == [1]
    assert [(one.number, one.code) for one in refused] == [(2, "repeated-member")]


def test_a_bet_whose_odds_are_given_twice_is_seen() -> None:
    raw = (
        json.dumps(example_line("posted-odds-shown")).encode().replace(b'"total:4"', b'"total:4": "1 to 1", "total:4"')
    )
    _, refused = parse_lines([raw], log="harbour", controller="box-1", now=datetime(2026, 11, 16, 12, tzinfo=UTC))
    assert [(one.code, one.field) for one in refused] == [("repeated-member", "/body/odds/total:4")]
