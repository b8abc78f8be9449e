"""A silent controller keeps its lines; one without an answer gives up after a while and says so."""

from datetime import UTC, date, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.config.run.embedded_servers import free_port
from rounds.intake.protocol.table import SignRemoved, TableOpened
from rounds.simulator.delivery.controller_feed import ControllerFeed, ServiceUnreachable
from rounds.simulator.play.controller_output import LineDelivery, NumberedLine, ReportedLine, number_lines

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON
        self.waited = 0.0

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waited += seconds


def feed_to_nobody(clock: Clock) -> ControllerFeed:
    return ControllerFeed(
        address=f"http://127.0.0.1:{free_port()}/api/v1/entries",
        key=Ed25519PrivateKey.generate(),
        verifier="",
        clock=clock,
        wait=clock.wait,
    )


def lines(*deliveries: LineDelivery) -> list[NumberedLine]:
    said = [ReportedLine("sign-removed", NOON, SignRemoved(sign="s-1"), delivery) for delivery in deliveries]
    return [one for _, one in number_lines(said, table="sb-1", first=7)]


def test_a_silent_controller_keeps_what_it_has_to_say_and_does_not_beat() -> None:
    clock = Clock()
    feed = feed_to_nobody(clock)

    feed.send("sb-1", lines(LineDelivery(silent_seconds=300), LineDelivery()))
    clock.now += timedelta(seconds=299)
    feed.send_heartbeat("sb-1")
    feed.send("sb-1", [])

    assert feed.is_silent
    assert [b'"sequence":7' in one or b'"sequence":8' in one for one in feed.backlog.pending_lines(10)] == [True, True]
    assert clock.waited == 0

    clock.now += timedelta(seconds=1)
    with pytest.raises(ServiceUnreachable):
        feed.send("sb-1", [])
    assert clock.waited > 30
    assert len(feed.backlog.pending_lines(10)) == 2


def test_a_line_is_held_back_until_its_time() -> None:
    clock = Clock()
    feed = feed_to_nobody(clock)

    feed.send("sb-1", lines(LineDelivery(held_back_seconds=900)))
    feed.send_held_back(until=NOON + timedelta(seconds=899))

    assert feed.backlog.pending_lines(1) == []
    with pytest.raises(ServiceUnreachable):
        feed.send_held_back(until=NOON + timedelta(seconds=900))


def test_a_skipped_number_belongs_to_nobody_and_a_heartbeat_uses_none() -> None:
    opened = TableOpened(gaming_day=date(2026, 11, 10))
    said = [
        ReportedLine("table-opened", NOON, opened),
        ReportedLine("sign-removed", NOON, SignRemoved(sign="s-1"), LineDelivery(skips_number=True)),
        ReportedLine("sign-removed", NOON, SignRemoved(sign="s-2")),
    ]

    assert [one.sequence for _, one in number_lines(said, table="sb-1", first=5)] == [5, 7, 8]
