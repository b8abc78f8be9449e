"""A silent feed is recorded once, and so is its return; just under the limit nothing is recorded."""

from datetime import timedelta

from rounds.floor.models import Table
from rounds.floor.services import retire_table
from rounds.intake.models import Feed
from rounds.intake.services.feed_silence import record_returns, record_silences
from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.consumer import read_entries
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import Feeder


def recorded() -> list[LogEntry]:
    return [entry for entry in read_entries("harbour", 0, 10**6) if entry.kind in ("feed-silent", "feed-returned")]


def test_thirty_seconds_without_a_sign_of_life_are_silence(feeder: Feeder) -> None:
    feeder.send(feeder.line("table-opened"))
    seen = Feed.objects.get().last_seen_at
    assert record_silences(now=seen + timedelta(seconds=30)) == 0
    assert record_silences(now=seen + timedelta(seconds=30, microseconds=1)) == 1
    assert record_silences(now=seen + timedelta(minutes=5)) == 0
    [entry] = recorded()
    assert (entry.kind, entry.table, entry.content()["controller"]) == ("feed-silent", "sb-1", "box-1")
    assert entry.content()["last_sequence"] == 1


def test_a_heartbeat_ends_the_silence(feeder: Feeder) -> None:
    feeder.send(feeder.line("table-opened"))
    seen = Feed.objects.get().last_seen_at
    record_silences(now=seen + timedelta(minutes=1))
    assert record_returns(now=seen + timedelta(minutes=1)) == 0
    feeder.send(feeder.line("heartbeat"))
    assert record_returns(now=seen + timedelta(minutes=2)) == 1
    assert record_returns(now=seen + timedelta(minutes=2)) == 0
    assert [entry.kind for entry in recorded()] == ["feed-silent", "feed-returned"]
    assert record_silences(now=Feed.objects.get().last_seen_at + timedelta(minutes=1)) == 1


def test_a_closed_table_may_be_silent(feeder: Feeder) -> None:
    feeder.send(feeder.line("table-opened"), feeder.line("table-closed"))
    assert record_silences(now=Feed.objects.get().last_seen_at + timedelta(hours=8)) == 0


def test_a_retired_table_may_be_silent(feeder: Feeder, crew: Crew) -> None:
    feeder.send(feeder.line("table-opened"))
    seen = Feed.objects.get().last_seen_at
    retire_table(table=Table.objects.get(slug="sb-1"), actor=crew.sid, now=seen + timedelta(seconds=31))
    assert record_silences(now=seen + timedelta(minutes=1)) == 0
