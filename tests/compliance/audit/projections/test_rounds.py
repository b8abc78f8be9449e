"""The columns of rounds: what a row contains; intake writes it with the entry; a change to it is found."""

import io
import json
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from compliance.audit.models import OpenedStreak, PackedRound
from compliance.audit.projections import rounds as projection
from compliance.audit.run.consumer import consume_log
from compliance.audit.run.rebuild import rebuild_rounds
from rounds.intake.columns import packed_rows, round_encoding
from rounds.intake.protocol import examples
from rounds.intake.protocol.round import Change, Round
from rounds.ledger.models import Entry, IndexedTerm
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.verify.verify_log import verify_log
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import Feeder, feeder_at
from tests.rounds.simulator.gaming_days import SLUGS, play_table_day, rounds_in

VALUES = tuple(name for name in packed_rows.COLUMNS if name != "entry_index")
WAGER = examples.BODIES["round"]["wagers"][0]
OPEN = {name: value for name, value in WAGER.items() if name != "returned"} | {"bet": "streak:small", "verdict": "open"}


@pytest.fixture
def feeder(crew: Crew, tmp_path: Path, settings: Settings) -> Feeder:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    return feeder_at(crew)


def stored() -> list[tuple[Any, ...]]:
    return [tuple(bytes(value) if isinstance(value, memoryview) else value for value in row) for row in rows()]


def rows() -> Any:
    return PackedRound.objects.order_by("entry_index").values_list("entry_index", *VALUES)


def expected_row(table: str, played: Round) -> dict[str, Any]:
    """The row of a round, written a second time and value by value."""
    events = [min((e.at for e in played.events if e.name == name), default=None) for name in round_encoding.EVENTS]
    known = [instant for instant in events if instant is not None]
    result = played.dice or played.cards
    counts = [event.count for event in played.events if event.name == "tumbled" and event.count is not None]
    return {
        "log": "harbour",
        "table": table,
        "round": played.round,
        "gaming_day": played.gaming_day,
        "started_at": min(known),
        "ended_at": max(*known, *(wager.placed_at for wager in played.wagers), min(known)),
        "tumbles": sum(counts) if counts else None,
        "is_void": played.no_result is not None,
        "have_lights_failed": played.lit == () and result is not None,
        "instants": events,
        "wagers": len(played.wagers) * round_encoding.WAGER_RECORD.itemsize,
    }


def decoded_row(row: PackedRound) -> dict[str, Any]:
    [times] = round_encoding.decode_events([bytes(row.events)])
    instants = [
        None if time == round_encoding.NO_TIME else round_encoding.from_microseconds(time) for time in times.tolist()
    ]
    names = (
        "log",
        "table",
        "round",
        "gaming_day",
        "started_at",
        "ended_at",
        "tumbles",
        "is_void",
        "have_lights_failed",
    )
    return {**{name: getattr(row, name) for name in names}, "instants": instants, "wagers": len(row.wagers)}


def varied(dice: Random, played: Round) -> Round:
    """The round with members that honest play seldom has."""
    replace, changes = msgspec.structs.replace, dict[str, Any]()
    if dice.random() < 0.2:
        changes["wagers"] = ()
    elif dice.random() < 0.3:
        first, *others = played.wagers
        late = max(event.at for event in played.events) + timedelta(seconds=dice.randint(-900, 900), microseconds=7)
        moved = (Change(what="raised", at=late, stake=first.stake + 500),)
        changes["wagers"] = (replace(first, placed_at=late, changes=moved), *others)
    if dice.random() < 0.2:
        changes["events"] = tuple(dice.sample([*played.events, *played.events], 2 * len(played.events)))
    if dice.random() < 0.2:
        changes["lit"] = ()
    if dice.random() < 0.2:
        changes["round"] = "r" * dice.randint(1, 64)
    return replace(played, **changes)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", SLUGS)
def test_a_row_has_the_values_of_its_round(slug: str) -> None:
    dice = Random(20261118)
    played_rounds = rounds_in(play_table_day(slug, rounds=80).timeline)
    rounds = [(f"t-{index}", varied(dice, played)) for index, played in enumerate(played_rounds)]
    projection._copy_rows(packed_rows.pack_rounds("harbour", rounds).rows_at(range(100, 100 + len(rounds))))
    found = list(PackedRound.objects.order_by("entry_index"))
    assert [row.entry_index for row in found] == list(range(100, 100 + len(rounds)))
    assert [decoded_row(row) for row in found] == [expected_row(table, played) for table, played in rounds]
    for row, (_, played) in zip(found, rounds, strict=True):
        assert (row.outcome, row.is_plain) == (
            round_encoding.encode_outcome(played),
            round_encoding.is_fully_encoded_round(played),
        )
        assert [bytes(row.wagers)] == round_encoding.encode_wagers([played])
        assert bytes(row.events) == round_encoding.encode_events(played)


def test_intake_stores_what_the_consumer_would_store(feeder: Feeder) -> None:
    lines = [feeder.line(round="r-1"), feeder.line("sign-shown"), feeder.line(round="r-2", wagers=[OPEN])]
    assert feeder.send(*lines).status_code == 200
    by_intake, streaks = stored(), list(OpenedStreak.objects.values_list("entry_index", "wager", "table", "gaming_day"))
    assert [row[VALUES.index("round") + 1] for row in by_intake] == ["r-1", "r-2"]
    assert [wager for _, wager, _, _ in streaks] == [WAGER["id"]]
    consume_log("harbour")
    assert stored() == by_intake
    assert rebuild_rounds("harbour") == 2
    assert stored() == by_intake
    assert list(OpenedStreak.objects.values_list("entry_index", "wager", "table", "gaming_day")) == streaks
    assert verify_log("harbour").issues == ()


def test_intake_indexes_what_the_search_would_index(feeder: Feeder) -> None:
    """Also rounds whose lines say by whom the result was called: staff numbers are not people's names."""
    called = {"faces": [4, 2, 4], "by": {"position": "dealer", "number": "d-7"}}
    lines = [feeder.line(round="R-1", called=called), feeder.line("sign-shown"), feeder.line(round="r-2")]
    assert feeder.send(*lines).status_code == 200
    terms = IndexedTerm.objects.order_by("index").values_list("index", "what", "value")
    by_intake = [(index, what, value) for index, what, value in terms if what == "round"]
    assert [(what, value) for _, what, value in by_intake] == [("round", "r-1"), ("round", "r-2")]
    call_command("rebuild_search", "--log", "harbour", stdout=io.StringIO())
    assert [term for term in terms.all() if term[1] == "round"] == by_intake
    IndexedTerm.objects.filter(index__gte=by_intake[0][0]).delete()
    assert any("the search would not find it" in issue.sentence for issue in verify_log("harbour").issues)


def test_the_consumer_stores_what_intake_did_not(feeder: Feeder) -> None:
    """As after an upgrade: some rounds were recorded before intake wrote columns."""
    assert feeder.send(feeder.line(round="r-1"), feeder.line(round="r-2"), feeder.line(round="r-3")).status_code == 200
    by_intake = stored()
    PackedRound.objects.filter(round="r-2").delete()
    assert verify_log("harbour").issues == ()
    consume_log("harbour")
    assert stored() == by_intake


@pytest.mark.parametrize("is_consumed", [False, True])
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("UPDATE audit_packedround SET wagers = set_byte(wagers, 1, 255 - get_byte(wagers, 1))", "something else"),
        ("UPDATE audit_packedround SET outcome = outcome + 1", "something else"),
        ("UPDATE audit_packedround SET ended_at = ended_at + interval '1 microsecond'", "something else"),
        ("UPDATE audit_packedround SET tumbles = 77", "something else"),
        ("UPDATE audit_packedround SET \"table\" = 'sb-2'", "something else"),
        ("UPDATE audit_packedround SET entry_index = entry_index - 1", "claim to come from it"),
    ],
)
def test_changed_columns_are_found(feeder: Feeder, change: str, sentence: str, *, is_consumed: bool) -> None:
    assert feeder.send(feeder.line()).status_code == 200
    if is_consumed:
        consume_log("harbour")
    with connection.cursor() as cursor:
        cursor.execute(change)
    assert any(sentence in issue.sentence for issue in verify_log("harbour").issues)


def test_deleted_columns_are_found_once_they_were_consumed(feeder: Feeder) -> None:
    assert feeder.send(feeder.line()).status_code == 200
    consume_log("harbour")
    PackedRound.objects.all().delete()
    assert any("the round's columns are gone" in issue.sentence for issue in verify_log("harbour").issues)


@pytest.mark.django_db(transaction=True)
def test_a_row_in_the_way_does_not_stop_the_intake(feeder: Feeder) -> None:
    """Facts are recorded even where a projection cannot be written."""
    assert feeder.send(feeder.line(round="r-1")).status_code == 200
    [row] = PackedRound.objects.all()
    row.pk, row.entry_index = None, row.entry_index + 1
    row.save()
    assert feeder.send(feeder.line(round="r-2")).status_code == 200
    assert json.loads(bytes(Entry.objects.get(index=row.entry_index).body))["body"]["round"] == "r-2"
    assert any("say something else" in issue.sentence for issue in verify_log("harbour").issues)
