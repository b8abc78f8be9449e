"""Wrong clocks: the server's jumps, controllers are minutes apart, daylight saving skips or repeats an hour.

Nothing is lost, nothing is refused for its time, and the ledger still verifies.
"""

import random
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from compliance.audit.models import Block, Coverage, Finding
from compliance.core.web.local_time import format_local
from rounds.floor.fact_values import GamingDayValue, LimitsValue
from rounds.floor.facts.gaming_days import gaming_day
from rounds.floor.public_keys import key_id_of
from rounds.floor.services import assign_table
from rounds.intake.models import Feed
from rounds.ledger.models import SignedCheckpoint
from rounds.ledger.signing.checkpoints import sign_log
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import SKYCITY, START, wager
from tests.drills.support.full_length import count_in_tally, is_time_up, repetitions, seed
from tests.drills.test_failing_statements import crew
from tests.rounds.floor.crew import Crew, new_controller, new_table, record_table_fact, trusted_key
from tests.rounds.intake.controller_client import Feeder

__all__ = ["crew"]

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
SYDNEY = ZoneInfo("Australia/Sydney")
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
# How far each controller's clock is off, throughout.
OFF = {"box-1": timedelta(0), "box-2": -7 * MINUTE, "box-3": 5 * MINUTE}
# Jumps of the server's clock: none, an hour for a wrong zone, nearly a day, a little.
JUMPS = (timedelta(0), HOUR, -HOUR, 23 * HOUR, -23 * HOUR, -2 * MINUTE, 40 * MINUTE)


def controllers(crew: Crew) -> dict[str, Feeder]:
    table, feeders = new_table(crew), {}
    for number, slug in enumerate(OFF, 1):
        secret = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        public = secret.public_key().public_bytes_raw()
        controller = new_controller(crew, slug)
        assign_table(controller=controller, table=table, actor=crew.cora, now=controller.registered_at)
        trusted_key(crew, controller, public)
        feeders[slug] = Feeder(secret=secret, key_id=key_id_of(public))
    return feeders


def test_the_servers_clock_jumps_and_controllers_are_minutes_apart(crew: Crew) -> None:
    """Every line is taken with its own times; the log's order is that in which they came, whatever the clocks say."""
    boxes, dice, receipts, steps = controllers(crew), random.Random(seed()), [], 0
    while steps < repetitions(8, full=400) and not (is_time_up() and steps):
        true = NOON + steps * MINUTE
        with time_machine.travel(true + dice.choice(JUMPS), tick=False) as server:
            for slug, feeder in boxes.items():
                theirs = true + OFF[slug]
                answer = feeder.send(feeder.line(at=theirs), sent_at=theirs.isoformat())
                assert answer.status_code == 200, answer.content
                receipts += [receipt["index"] for receipt in answer.json()["receipts"]]
            server.shift(dice.choice(JUMPS))
            sign_log("harbour", datetime.now(UTC))
        steps += 1
    assert receipts == sorted(set(receipts))
    assert [feed.accepted for feed in Feed.objects.order_by("controller__slug")] == [steps] * 3
    assert SignedCheckpoint.objects.count() == steps
    assert verify_log("harbour").issues == ()
    count_in_tally("jumps of the server's clock", 2 * steps)
    count_in_tally("lines sent meanwhile", len(receipts))


def test_the_audit_goes_on_when_the_clock_is_put_back(crew: Crew) -> None:
    """What was found at one o'clock is superseded at what the server now calls noon."""
    house = House(crew)
    table = house.open_table(rules=SKYCITY, limits=LimitsValue(min=500, max=50_000))
    house.play((4, 2, 4), wager("small", 60_000, 120_000))
    with time_machine.travel(NOON + HOUR, tick=False):
        house.audit()
    house.state(table, LimitsValue(min=500, max=40_000), at=START - HOUR)
    with time_machine.travel(NOON, tick=False):
        house.audit()
    old, new = Finding.objects.order_by("pk")
    # Clipped at 500 dollars at first, then at 400: the rest is returned.
    assert (old.required_cents, new.required_cents) == (110_000, 100_000)
    assert old.superseded_by == new
    assert old.superseded_at == NOON + HOUR
    assert not Block.objects.waiting().exists()
    assert Coverage.objects.filter(generation=2).exists()


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        (date(2026, 10, 3), 23),  # clocks go forward on Sunday the 4th at 2 am
        (date(2027, 4, 3), 25),  # clocks go back on Sunday the 4th at 3 am
        (date(2028, 2, 28), 24),
        (date(2028, 2, 29), 24),  # leap day
        (date(2026, 12, 31), 24),
    ],
)
def test_a_gaming_day_over_midnight_is_as_long_as_its_night(crew: Crew, day: date, hours: int) -> None:
    record_table_fact(crew, None, GamingDayValue(cut_over="06:00"))
    begins = datetime(day.year, day.month, day.day, 6, tzinfo=SYDNEY).astimezone(UTC)
    ends = begins + timedelta(hours=hours)
    second = timedelta(seconds=1)
    assert gaming_day(crew.harbour, begins - second) == day - timedelta(days=1)
    assert {gaming_day(crew.harbour, at) for at in (begins, ends - 6 * HOUR, ends - second)} == {day}
    assert gaming_day(crew.harbour, ends) == day + timedelta(days=1)


def test_the_hour_that_comes_twice_is_told_apart(crew: Crew) -> None:
    """2:30 am of 4 April 2027, in summer time and an hour later."""
    first = datetime(2027, 4, 3, 15, 30, tzinfo=UTC)
    assert [format_local(at, crew.harbour) for at in (first, first + HOUR)] == [
        "4 Apr 2027, 2:30 am AEDT",
        "4 Apr 2027, 2:30 am AEST",
    ]


def test_rounds_of_the_night_are_taken_and_audited(crew: Crew) -> None:
    """Through both hours called half past two and the one that is left out, in order and without a gap."""
    house = House(crew)
    house.open_table()
    nights = (datetime(2026, 10, 3, 15, 30, tzinfo=UTC), datetime(2027, 4, 3, 15, 30, tzinfo=UTC))
    played = [
        house.play((4, 2, 4), wager("small", 2_500, 5_000), later=night + hour * HOUR - START)
        for night in nights
        for hour in range(3)
    ]
    house.audit()
    assert played == list(range(played[0], played[0] + 6))
    assert not Block.objects.waiting().exists()
    assert house.codes() == []
