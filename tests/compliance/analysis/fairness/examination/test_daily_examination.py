"""Daily examination: a gaming day is examined once, when it is over and audited; rare results are signalled with their
rounds."""

from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError

from compliance.analysis.fairness.errors import NotAllowedToAcknowledge
from compliance.analysis.fairness.examination.daily_examination import days_to_examine, examine_day
from compliance.analysis.fairness.models import Examination, LastTest, Signal, SignalAcknowledgement
from compliance.analysis.fairness.selectors import rounds_of_signal
from compliance.analysis.fairness.services import acknowledge_signal
from compliance.analysis.fairness.statistics.significance import LEVEL_PER_DAY
from compliance.analysis.fairness.tasks import examine_casinos
from compliance.audit.models import Block, Finding
from compliance.audit.run.consumer import consume_log
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.analysis.fairness.dice_play import (
    AFTER,
    DAY,
    SIX_ALWAYS,
    place_dice,
    play_many,
    remove_dice,
    results,
    signal_by_hand,
    with_dice,
)
from tests.compliance.audit.round_builders import START
from tests.compliance.tables.equipment.builders import NSW, RWS, Floor
from tests.compliance.tampering import tampered
from tests.conftest import superuser


def kinds_after(first: int) -> list[str]:
    return [entry.kind for entry in read_entries("harbour", first, size_of("harbour"))]


def test_fair_dice_are_looked_at_and_not_signalled(floor: Floor) -> None:
    with_dice(floor, results())
    assert list(days_to_examine(floor.house.casino, AFTER)) == [DAY]
    done = examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    assert done is not None
    assert [(look["kind"], look["name"], look["rounds"]) for look in done.looks] == [
        ("dice", "set-1", 200),
        ("table", "sb-1", 200),
    ]
    # Six tests each: no shaker was recorded and nothing was wagered.
    assert done.tests == 12
    assert {test["level"] for look in done.looks for test in look["tests"]} >= {f"{float(LEVEL_PER_DAY) / 12:.3g}"}
    assert not Signal.objects.exists()
    assert LastTest.objects.get(subject="set-1").rounds == 200


def test_loaded_dice_are_signalled_with_their_rounds_and_the_clause_that_would_void_them(floor: Floor) -> None:
    indexes = with_dice(floor, results(SIX_ALWAYS))
    before = size_of("harbour")
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    assert kinds_after(before) == ["fairness-examined", "fairness-signal", "fairness-signal"]
    signal = Signal.objects.get(subject_kind="dice")
    assert (signal.code, signal.subject, signal.rounds, signal.test) == ("FAIR-FACES", "set-1", 200, "faces")
    assert signal.played == [
        {"dice": "set-1", "table": "sb-1", "first": indexes[0], "last": indexes[-1], "rounds": 200}
    ]
    assert [(each["table"], each["reason"], each["clause"]) for each in signal.voids] == [
        ("sb-1", "damaged-dice", "5.4")
    ]
    assert [cell[:2] for cell in signal.cells] == [*([str(face), 0] for face in range(1, 6)), ["6", 600]]
    assert [row.entry_index for row in rounds_of_signal(signal)] == indexes


def test_rules_without_such_a_clause_void_nothing(floor: Floor) -> None:
    with_dice(floor, results(SIX_ALWAYS), rules=NSW)
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    assert Signal.objects.get(subject_kind="dice").voids == []


def test_a_signal_is_no_finding_and_opens_no_audit(floor: Floor) -> None:
    with_dice(floor, results(SIX_ALWAYS))
    found = Finding.objects.count()
    generations = list(Block.objects.order_by("number").values_list("generation", flat=True))
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    floor.house.audit()
    assert Signal.objects.exists()
    assert Finding.objects.count() == found
    assert (
        list(Block.objects.order_by("number").values_list("generation", flat=True))[: len(generations)] == generations
    )


def test_examined_twice_it_is_examined_once(floor: Floor) -> None:
    with_dice(floor, results(SIX_ALWAYS))
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    size = size_of("harbour")
    assert examine_day(casino=floor.house.casino, day=DAY, now=AFTER) is None
    assert list(days_to_examine(floor.house.casino, AFTER)) == []
    examine_casinos()
    assert size_of("harbour") == size
    assert Examination.objects.count() == 1


def test_whoever_examines_it_finds_the_same(floor: Floor) -> None:
    """Examined, deleted and examined again: the same entries except for the time."""
    with_dice(floor, results(SIX_ALWAYS))
    said = []
    for now in (AFTER, AFTER + timedelta(days=3)):
        with transaction.atomic():
            first = size_of("harbour")
            examine_day(casino=floor.house.casino, day=DAY, now=now)
            bodies = [entry.content() for entry in read_entries("harbour", first, size_of("harbour"))]
            said.append([{k: v for k, v in body.items() if not k.endswith("_at")} for body in bodies])
            transaction.set_rollback(True)
    assert said[0] == said[1]
    assert len(said[0]) == 3


@pytest.mark.parametrize(
    ("now", "is_due"),
    [
        # The gaming day ends at midnight in Sydney, 13:00 UTC; the grace period is three hours.
        (datetime(2026, 11, 16, 15, 59, 59, tzinfo=UTC), False),
        (datetime(2026, 11, 16, 16, 0, tzinfo=UTC), True),
    ],
)
def test_a_day_is_due_three_hours_after_it_ended(floor: Floor, now: datetime, is_due: bool) -> None:
    with_dice(floor, results(rounds=3))
    cut_over = floor.house.casino
    assert cut_over.time_zone == "Australia/Sydney"
    assert (list(days_to_examine(floor.house.casino, now)) == [DAY]) is is_due


def test_a_day_that_is_not_audited_yet_waits(floor: Floor) -> None:
    with_dice(floor, results(rounds=3))
    play_many(floor, results(rounds=3), first=5_000)
    assert list(days_to_examine(floor.house.casino, AFTER)) == [DAY]
    consume_log("harbour")
    assert list(days_to_examine(floor.house.casino, AFTER)) == []
    floor.consume(AFTER)
    floor.house.audit()
    assert list(days_to_examine(floor.house.casino, AFTER)) == [DAY]


def test_rounds_count_for_the_dice_that_lay_there(floor: Floor) -> None:
    """The second set is placed while the first is still there, and removed before it."""
    floor.table(RWS)
    place_dice(floor, "set-1")
    place_dice(floor, "set-2", at=START + timedelta(seconds=250))
    remove_dice(floor, "set-2", at=START + timedelta(seconds=450))
    outcomes = results(rounds=700)
    outcomes[250:450] = 215
    play_many(floor, outcomes)
    floor.consume(AFTER)
    floor.house.audit()
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    looks = {look.subject: look.rounds for look in LastTest.objects.filter(subject_kind="dice")}
    assert looks == {"set-1": 400, "set-2": 200}
    assert [signal.subject for signal in Signal.objects.filter(subject_kind="dice")] == ["set-2"]
    table = Signal.objects.get(subject_kind="table")
    assert [(each["dice"], each["rounds"]) for each in table.played] == [("set-1", 500), ("set-2", 200)]


def test_the_next_look_comes_when_rounds_have_doubled_and_a_signal_is_not_repeated(floor: Floor) -> None:
    with_dice(floor, results(SIX_ALWAYS))
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    for days, rounds, expected in ((1, 199, []), (2, 1, [("dice", 400), ("table", 400)])):
        day = date(2026, 11, 16 + days)
        play_many(floor, results(SIX_ALWAYS, rounds), day=day, first=10_000 * days, since=timedelta(days=days))
        floor.consume(AFTER + timedelta(days=days))
        floor.house.audit()
        done = examine_day(casino=floor.house.casino, day=day, now=AFTER + timedelta(days=days))
        assert done is not None
        assert [(look["kind"], look["rounds"]) for look in done.looks] == expected
    assert Signal.objects.count() == 2


def test_only_inspectors_and_supervisors_mark_a_signal_and_it_is_kept(floor: Floor) -> None:
    with_dice(floor, results(SIX_ALWAYS))
    examine_day(casino=floor.house.casino, day=DAY, now=AFTER)
    signal = Signal.objects.get(subject_kind="dice")
    with pytest.raises(NotAllowedToAcknowledge):
        acknowledge_signal(signal=signal, note="Measured.", actor=floor.shirin, now=AFTER)
    seen = acknowledge_signal(signal=signal, note="Taken away to be measured.", actor=floor.crew.gina, now=AFTER)
    [entry] = read_entries("harbour", seen.entry_index, seen.entry_index + 1)
    assert (entry.kind, entry.content()) == ("fairness-signal-seen", seen.entry_body())
    assert entry.content()["signal"] == signal.entry_index


def test_what_was_recorded_never_changes_whoever_tries(committed_floor: Floor) -> None:
    """The application's database role lacks the privilege; a superuser is stopped by the trigger."""
    signal = signal_by_hand(committed_floor.house.casino, AFTER)
    acknowledge_signal(signal=signal, note="Measured.", actor=committed_floor.crew.gina, now=AFTER)
    for model in (Examination, Signal, SignalAcknowledgement):
        table = model._meta.db_table
        for statement in (f"UPDATE {table} SET entry_index = 1", f"DELETE FROM {table}"):
            with pytest.raises(DatabaseError, match="permission denied"), connection.cursor() as cursor:
                cursor.execute(statement)
            refused = pytest.raises(psycopg.errors.RestrictViolation, match="kept as it was written")
            with superuser(connection.settings_dict["NAME"]) as rogue, refused:
                rogue.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE fairness_examination SET tests = 0",
        "UPDATE fairness_signal SET p_value = '0.9'",
        "UPDATE fairness_signal SET voids = '[]'",
        "UPDATE fairness_signalseen SET note = 'Nothing to see.'",
        "DELETE FROM fairness_signalseen",
    ],
)
def test_verification_compares_what_is_kept_with_the_entries(committed_floor: Floor, statement: str) -> None:
    signal = signal_by_hand(committed_floor.house.casino, AFTER)
    acknowledge_signal(signal=signal, note="Measured.", actor=committed_floor.crew.gina, now=AFTER)
    assert verify_log("harbour").is_intact
    with tampered(statement.removeprefix("DELETE FROM ").removeprefix("UPDATE ").split()[0], statement):
        assert not verify_log("harbour").is_intact
    assert verify_log("harbour").is_intact
