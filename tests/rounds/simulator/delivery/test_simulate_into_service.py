"""A table's days go through the real API into the ledger, feed faults included, and the ledger verifies."""

import io
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from compliance.config.run.embedded_servers import free_port
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.equipment.models import ReturnToPlay
from compliance.tables.equipment.services.floor_records import record_manual_line, return_to_play
from rounds.floor.fact_values import (
    EquipmentValue,
    GamingDayValue,
    LimitsValue,
    PostedOddsValue,
    Shift,
    ShiftsValue,
    SmallestChipValue,
    StreakAmountValue,
    WagersOfferedValue,
)
from rounds.floor.models import Table
from rounds.intake.models import Batch, Feed, Quarantined
from rounds.intake.protocol import equipment
from rounds.intake.tasks import consume_controller_reports
from rounds.ledger.readers.consumer import read_entries
from rounds.simulator.delivery.casino_tables import load_table_config
from rounds.simulator.delivery.simulation_run import SimulationTotals, TruthFile
from rounds.simulator.delivery.table_lock import TableLocked, lock_table
from rounds.simulator.demo.live_floor import LiveFloor, open_live_table
from rounds.simulator.fault_selection import select_faults
from rounds.simulator.play.gaming_days import random_stream
from tests.rounds.floor.crew import Crew, record_table_fact, speaking_controller, table_under

POSTED = PostedOddsValue(odds={"total:4": "60 to 1", "single:1": ("1 to 1", "2 to 1", "3 to 1")})


@pytest.fixture
def table(crew: Crew) -> Table:
    """A table under the Licensee's rules with all its facts, and a controller that reports for it."""
    table = table_under(crew, "licensee-sic-bo")
    record_table_fact(crew, None, GamingDayValue(cut_over="05:00"))
    for value in (
        LimitsValue(min=500, max=50_000),
        POSTED,
        SmallestChipValue(cents=100),
        EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="automated"),
    ):
        record_table_fact(crew, table, value)
    speaking_controller(crew, table)
    return table


def simulate(server: LiveServer, keys: Path, **options: Any) -> str:
    said = io.StringIO()
    call_command("simulate", casino="harbour", address=server.url, keys=keys, stdout=said, **options)
    return said.getvalue()


def truth_in(path: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text().splitlines():
        planted = json.loads(line)
        found.setdefault(planted["code"], []).append(planted)
    return found


def test_a_day_with_every_fault_is_recorded_as_the_truth_says(
    table: Table, live_server: LiveServer, keys: Path, tmp_path: Path
) -> None:
    said = simulate(live_server, keys, rounds=40, faults="all", truth=tmp_path / "truth.ndjson", seed=4)
    truth = truth_in(tmp_path / "truth.ndjson")

    assert said.startswith("Played 51 rounds with ")
    assert {"SETTLE-OVERPAID", "DICE-24H", "INSPECT-SHIFT", "ODDS-BELOW-MINIMUM", "FEED-GAP"} <= set(truth)
    feed = Feed.objects.get()
    # One number was skipped, one line is in quarantine.
    assert feed.missing_count == 2
    assert sorted(Quarantined.objects.values_list("code", "sequence")) == [
        ("sequence-conflict", truth["FEED-CONFLICT"][0]["sequence"]),
        ("unknown-kind", truth["FEED-QUARANTINE"][0]["sequence"]),
    ]
    off = [(batch.received_at - batch.sent_at).total_seconds() for batch in Batch.objects.all()]
    assert sum(seconds > 3 for seconds in off) == 1

    consume_controller_reports()
    verified = io.StringIO()
    call_command("verify_ledger", log="harbour", stdout=verified)
    assert "harbour: whole." in verified.getvalue()

    again = simulate(live_server, keys, rounds=3)
    assert again.startswith("Played 3 rounds")
    assert "refused" in said
    assert "refused" not in again
    assert Feed.objects.get().missing_count == 2
    assert Feed.objects.get().accepted > feed.accepted
    assert Quarantined.objects.count() == 2


def test_a_floor_plays_beside_the_clock_and_takes_up_where_it_stopped(
    table: Table, live_server: LiveServer, keys: Path, tmp_path: Path
) -> None:
    def floor(codes: str) -> LiveFloor:
        joined = open_live_table(table, now=timezone.now(), address=live_server.url, keys=keys, seed=1, pace=200)
        truth = TruthFile(tmp_path / "truth.ndjson")
        return LiveFloor(
            [joined],
            injectors=select_faults(codes).at_tables,
            one_in=1,
            truth=truth,
            clock=timezone.now,
            sleep=_no_longer_than_needed,
            rng=random_stream(1),
        )

    first = floor("SETTLE-OVERPAID,SETTLE-LOSER-PAID")
    first.start()
    first.play(rounds=first.tally.rounds + 3)
    before = Feed.objects.get()
    second = floor("")
    second.start()
    second.play(rounds=2)
    after = Feed.objects.get()

    assert before.is_open
    assert after.missing_count == 0
    assert after.accepted > before.accepted
    assert second.tally.rounds == 2
    # Opened once: the second live floor resumed at an open table.
    assert after.opened_or_closed_sequence == before.opened_or_closed_sequence
    assert {one["code"] for found in truth_in(tmp_path / "truth.ndjson").values() for one in found} <= {
        "SETTLE-OVERPAID",
        "SETTLE-LOSER-PAID",
    }
    # In every round but those that the table itself corrected.
    assert first.tally.rounds - 2 <= first.tally.planted <= first.tally.rounds


def test_play_rests_at_a_stopped_table_until_somebody_signs(
    crew: Crew, table: Table, live_server: LiveServer, keys: Path
) -> None:
    """The floor asks every five seconds; on the second time the fault is mended and signed for. Nothing comes late."""
    now = timezone.now()
    fault = equipment.Fault(fault="P-1", equipment="electrical-device", effect="not-lit", play_ceased_at=now)
    record_manual_line(table=table, kind="fault", body=fault, at=now, actor=crew.sid, now=now)
    consume_equipment(timezone.now)
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            at = timezone.now()
            mended = equipment.FaultCleared(fault="P-1", note="Lamp driver replaced.")
            record_manual_line(table=table, kind="fault-cleared", body=mended, at=at, actor=crew.sid, now=at)
            consume_equipment(timezone.now)
            return_to_play(table=table, note="All lit.", actor=crew.gina, now=timezone.now())
            consume_equipment(timezone.now)
        time.sleep(min(seconds, 0.2))

    joined = open_live_table(table, now=now, address=live_server.url, keys=keys, seed=1, pace=200)
    floor = LiveFloor(
        [joined], injectors=[], one_in=1, truth=TruthFile(None), clock=timezone.now, sleep=sleep, rng=random_stream(1)
    )
    floor.start()
    assert joined.is_stopped()
    floor.play(rounds=1)

    signed = ReturnToPlay.objects.get()
    played = [entry for batch in Batch.objects.all() for entry in read_entries(batch.log, *_span(batch))]
    assert {entry.kind for entry in played} >= {"table-opened", "round"}
    assert all(entry.recorded_at > signed.at for entry in played)
    # Half an hour of play in the past would be reported half an hour late.
    assert all(
        batch.sent_at - datetime.fromisoformat(entry.content()["at"]) < timedelta(seconds=60)
        for batch in Batch.objects.all()
        for entry in read_entries(batch.log, *_span(batch))
    )


def _span(batch: Batch) -> tuple[int, int]:
    return batch.first_index, batch.first_index + batch.entries


def test_two_simulations_take_turns_at_a_table(table: Table, live_server: LiveServer, keys: Path) -> None:
    joined = open_live_table(table, now=timezone.now(), address=live_server.url, keys=keys, seed=1, pace=200)
    truth, tally = TruthFile(None), SimulationTotals()
    joined.resume(timezone.now())
    joined.play_next(timezone.now())
    with lock_table(joined.state_file.with_suffix(".lock"), waits=False), pytest.raises(TableLocked):
        joined.send_round(truth, tally)

    joined.send_round(truth, tally)
    simulate(live_server, keys, rounds=2)
    # The other simulation closed the table after its day; play goes on here, so it is opened again.
    assert Feed.objects.get().is_open is False
    for _ in range(2):
        joined.play_next(timezone.now())
        joined.send_round(truth, tally)

    assert Feed.objects.get().is_open is True
    assert Feed.objects.get().missing_count == 0
    assert not Quarantined.objects.exists()


def _no_longer_than_needed(seconds: float) -> None:
    time.sleep(min(seconds, 1.0))


def test_a_table_is_what_the_floors_facts_say(crew: Crew, table: Table) -> None:
    record_table_fact(
        crew, None, ShiftsValue(shifts=(Shift(name="Day", starts="05:00"), Shift(name="Night", starts="17:00")))
    )
    set_up = load_table_config(table, timezone.now())

    assert (set_up.casino, set_up.table, set_up.pack.slug) == ("harbour", "sb-1", "licensee-sic-bo")
    assert (set_up.limits.min, set_up.limits.max, set_up.limits.payable_unit) == (500, 50_000, 100)
    assert set_up.posted_odds == {"total:4": "60 to 1", "single:1": ("1 to 1", "2 to 1", "3 to 1")}
    assert (set_up.shaker, set_up.has_touch_screen, set_up.streak_amount) == ("automated", False, None)
    # In June Sydney is ten hours ahead: 05:00 there is 19:00 UTC of the day before.
    assert set_up.gaming_day_at(datetime(2026, 6, 10, 18, 59, tzinfo=UTC)).isoformat() == "2026-06-10"
    assert set_up.gaming_day_at(datetime(2026, 6, 10, 19, 0, tzinfo=UTC)).isoformat() == "2026-06-11"
    assert [
        start.hour for start in set_up.shift_starts(set_up.gaming_day_at(datetime(2026, 6, 10, 19, tzinfo=UTC)))
    ] == [
        19,
        7,
    ]


def test_super_streak_is_played_where_it_is_offered_and_its_amount_known(crew: Crew) -> None:
    table = table_under(crew, "nsw-sic-bo")
    record_table_fact(crew, table, LimitsValue(min=500, max=50_000))
    record_table_fact(crew, table, EquipmentValue(layout="C", screen="lcd", touch_screen=True, shaker="none"))
    assert load_table_config(table, timezone.now()).streak_amount is None

    later = timezone.now() - timedelta(hours=1)
    record_table_fact(crew, table, StreakAmountValue(cents=1_000), later)
    record_table_fact(crew, table, WagersOfferedValue(wagers=("odd", "streak")), later)
    set_up = load_table_config(table, timezone.now())

    assert set_up.streak_amount == 1_000
    assert "odd" in set_up.bets_at(set_up.seat_places[0])
    assert set_up.unoffered_bets[:1] == ("even",)


def test_what_is_missing_is_said_plainly(table: Table, live_server: LiveServer, keys: Path, tmp_path: Path) -> None:
    def trouble(**options: Any) -> str:
        with pytest.raises(CommandError) as caught:
            call_command("simulate", **{"casino": "harbour", "address": live_server.url, "keys": keys, **options})
        return str(caught.value)

    nobody = f"http://127.0.0.1:{free_port()}"
    assert f"The service does not answer at {nobody}. Start it with `make run`" in trouble(address=nobody)
    assert "There is no casino atlantis. Those there are: harbour" in trouble(casino="atlantis")
    assert "Harbour Casino has no table sb-9. Its tables: sb-1." in trouble(tables="sb-9")
    assert "There is no key in" in trouble(keys=tmp_path)
    assert "WRONG is not a code. Those that can be planted: all, SETTLE-OVERPAID" in trouble(faults="WRONG")
    assert "No approved rules are in force at the table sb-1 on 2020-01-01" in trouble(
        start=datetime(2020, 1, 1, tzinfo=UTC)
    )
    assert "start earlier" in trouble(start=timezone.now(), rounds=5_000)
    assert "Rounds and speed are above nothing" in trouble(rounds=0)
    assert Feed.objects.count() == 0
