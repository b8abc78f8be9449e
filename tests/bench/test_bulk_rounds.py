"""Bulk rounds have the form of a controller's: the same members, parsed strictly, encoded back byte for byte."""

import json
import random
from collections.abc import Iterable, Iterator

import msgspec
import pytest

from rounds.intake.protocol.envelope import encode_line, parse_line
from tests.bench.support.bulk_rounds import RULES, BulkTable, play_round
from tests.rounds.simulator.gaming_days import play_table_day, rounds_in

NEVER_WRONG = 2**62


def members(content: object, path: str = "") -> Iterator[str]:
    """The paths of all members of a record."""
    if isinstance(content, dict):
        for name, value in content.items():
            yield f"{path}/{name}"
            yield from members(value, f"{path}/{name}")
    elif isinstance(content, list):
        for value in content:
            yield from members(value, path)


def events_in(bodies: Iterable[dict[str, list[dict[str, str]]]]) -> set[str]:
    return {event["name"] for body in bodies for event in body["events"]}


@pytest.mark.parametrize("rules", RULES)
def test_rounds_in_bulk_have_the_form_of_the_simulators(rules: str) -> None:
    table, dice = BulkTable("sb-1", rules), random.Random(7)
    lines = [play_round(table, sequence, dice, NEVER_WRONG).entry.body for sequence in range(1, 21)]
    for line in lines:
        read = parse_line(line)
        assert encode_line(kind="round", table="sb-1", sequence=read.sequence, at=read.at, body=read.body) == line
    simulated = [json.loads(msgspec.json.encode(body)) for body in rounds_in(play_table_day(rules, rounds=20).timeline)]
    generated = [json.loads(line)["body"] for line in lines]
    # The simulator's wagers may name the player instead of the seat: intake accepts either.
    assert set(members(generated)) - {"/wagers/seat"} <= set(members(simulated))
    assert events_in(generated) <= events_in(simulated)
    assert {len(body["wagers"]) for body in generated} == {20}


def test_what_is_wrong_on_purpose_is_noted_with_its_amounts() -> None:
    played = play_round(BulkTable("sb-1", RULES[0]), 1, random.Random(7), 1)
    body = json.loads(played.entry.body)["body"]
    # Each of the twenty was paid a dollar too much.
    assert [(wager["id"], wager["returned"]) for wager in body["wagers"]] == [
        (wager, found) for wager, _, found in played.wrong
    ]
    assert {found - required for _, required, found in played.wrong} == {100}
