"""Signs, changes, closings and warnings recorded by people and displays are checked like a controller's."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from time_machine import TimeMachineFixture

from compliance.audit.models import Finding
from compliance.core.web.mail.outbox import send_due_emails
from compliance.tables.closures.models import Closure
from compliance.tables.closures.services import announce_closure, close_in_emergency, close_table
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.services import schedule_notice, warn_player
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from compliance.tables.signs.models import Sign
from compliance.tables.signs.services import confirm_sign, take_down_sign
from rounds.floor.fact_values import GamingDayValue, LimitsValue
from rounds.floor.models import Table
from rounds.intake.tasks import consume_controller_reports
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import NSW, SKYCITY, wager
from tests.compliance.audit.table_lines import TableReporter, after
from tests.compliance.tables.signs.builders import MINUTE, SECOND, add_screen, refresh_until, run_workers
from tests.rounds.floor.crew import record_table_fact, speaking_controller
from tests.rounds.intake.controller_client import Feeder

pytestmark = pytest.mark.django_db
USUAL = LimitsValue(min=500, max=50_000)
HIGHER = LimitsValue(min=1_000, max=50_000)


@pytest.fixture
def table(house: House) -> Table:
    return house.open_table(limits=USUAL)


def codes(house: House) -> list[str]:
    house.audit()
    return house.codes()


def announced(house: House, table: Table, at: datetime, now: datetime) -> tuple[LimitNotice, Sign]:
    notice = schedule_notice(table=table, limits=HIGHER, effective_at=at, actor=house.crew.sid, now=now)
    assert notice.sign is not None
    return notice, notice.sign


def put_up(house: House, sign: Sign, at: datetime) -> None:
    confirm_sign(sign=sign, shown_at=at, actor=house.crew.gina, now=at)


def test_a_notice_that_came_into_force_breaks_nothing(house: House, table: Table) -> None:
    _, sign = announced(house, table, after(22), after(0))
    put_up(house, sign, after(2))
    run_workers(after(22))
    assert codes(house) == []


def test_a_notice_that_a_display_showed_breaks_nothing(house: House, table: Table) -> None:
    _, sign = announced(house, table, after(22), after(0))
    refresh_until(add_screen(house.crew, table), sign, after(1), after(22, 10))
    run_workers(after(22, 15))
    assert codes(house) == []


@pytest.mark.parametrize(
    ("minutes", "seconds", "found"),
    [(19, 59, ["LIMIT-SHORT-NOTICE"]), (20, 0, []), (20, 1, [])],
    ids=["just-under", "at", "just-over"],
)
def test_a_controller_that_changes_by_a_supervisors_sign(
    house: House, table: Table, minutes: int, seconds: int, found: list[str]
) -> None:
    """The sign is recorded on paper, the change by the controller: one check uses both."""
    _, sign = announced(house, table, after(20), after(-1))
    put_up(house, sign, after(20) - timedelta(minutes=minutes, seconds=seconds))
    TableReporter(house).limits(1_000, 50_000, after(20), sign=sign.name)
    assert codes(house) == found


def test_a_sign_that_was_taken_down_for_a_minute(house: House, table: Table) -> None:
    _, sign = announced(house, table, after(25), after(0))
    put_up(house, sign, after(0))
    take_down_sign(sign=sign, actor=house.crew.gina, now=after(10))
    put_up(house, sign, after(11))
    TableReporter(house).limits(1_000, 50_000, after(25), sign=sign.name)
    assert codes(house) == ["LIMIT-SHORT-NOTICE"]
    assert "14 min" in Finding.objects.get().sentence


def test_a_display_that_was_lost_for_a_minute(house: House, table: Table) -> None:
    _, sign = announced(house, table, after(25), after(0))
    display = add_screen(house.crew, table)
    refresh_until(display, sign, after(0), after(10))
    refresh_until(display, sign, after(11), after(26))
    TableReporter(house).limits(1_000, 50_000, after(25), sign=sign.name)
    assert codes(house) == ["LIMIT-SHORT-NOTICE"]


@pytest.mark.parametrize(("seconds", "found"), [(-1, ["LIMIT-SHORT-NOTICE"]), (0, []), (1, [])])
def test_across_the_night_when_clocks_go_forward(house: House, table: Table, seconds: int, found: list[str]) -> None:
    """Up at 1:50 am, changed at 3:10 am by Sydney's clocks: twenty minutes."""
    up_at = datetime(2026, 10, 3, 15, 50, tzinfo=UTC)
    _, sign = announced(house, table, up_at + 20 * MINUTE, up_at - MINUTE)
    put_up(house, sign, up_at - seconds * SECOND)
    TableReporter(house).limits(1_000, 50_000, up_at + 20 * MINUTE, sign=sign.name)
    assert codes(house) == found


@pytest.mark.parametrize("apart", [5 * MINUTE, -5 * MINUTE], ids=["ahead", "behind"])
@pytest.mark.parametrize(("stood", "found"), [(20 * MINUTE - SECOND, ["LIMIT-SHORT-NOTICE"]), (20 * MINUTE, [])])
def test_a_controllers_clock_and_ours_apart(
    house: House, table: Table, apart: timedelta, stood: timedelta, found: list[str], time_machine: TimeMachineFixture
) -> None:
    """The sign by the server's clock, the change by the controller's: five minutes off either way, only the skew is
    reported."""
    speaking_controller(house.crew, table)
    up_at = after(2)
    _, sign = announced(house, table, after(20), after(0))
    put_up(house, sign, up_at)
    now = up_at + stood
    time_machine.move_to(now, tick=False)
    feeder = Feeder()
    limits: dict[str, Any] = {"limits": {"min": 1_000, "max": 50_000}, "sign": sign.name}
    answer = feeder.send(feeder.line("limits-changed", at=now + apart, **limits), sent_at=(now + apart).isoformat())
    assert answer.status_code == 200
    consume_controller_reports()
    assert codes(house) == ["FEED-SKEW", *found]


# --- Closings -------------------------------------------------------------------------------------------------------


def closing(house: House, table: Table, **said: Any) -> Closure:
    usual: dict[str, Any] = {
        "players_present": True,
        "streak_in_progress": False,
        "actor": house.crew.sid,
        "now": after(0),
    }
    return announce_closure(table=table, **usual | said)


def test_a_table_closed_as_announced_breaks_nothing(house: House, table: Table) -> None:
    closure = closing(house, table, closes_at=after(22))
    assert closure.sign is not None
    put_up(house, closure.sign, after(2))
    close_table(closure=closure, actor=house.crew.sid, now=after(22))
    assert codes(house) == []


def test_an_emergency_is_flagged_as_what_it_is(house: House, table: Table) -> None:
    close_in_emergency(
        table=table, players_present=True, streak_in_progress=False, reason="Fire.", actor=house.crew.sid, now=after(0)
    )
    assert codes(house) == ["CLOSE-NO-SIGN"]


@pytest.mark.parametrize(
    ("up_after", "found"), [(2 * MINUTE - SECOND, []), (2 * MINUTE, []), (2 * MINUTE + SECOND, ["CLOSE-SHORT-NOTICE"])]
)
def test_a_controller_that_closes_by_a_supervisors_sign(
    house: House, table: Table, up_after: timedelta, found: list[str]
) -> None:
    closure = closing(house, table, closes_at=after(22))
    assert closure.sign is not None
    put_up(house, closure.sign, after(0) + up_after)
    TableReporter(house).closes(after(22), sign=closure.sign.name)
    assert codes(house) == found


def test_where_an_officer_must_be_told_the_announcement_tells_them(house: House) -> None:
    table = house.open_table(rules=SKYCITY, limits=USUAL)
    closure = closing(house, table, closes_at=after(1))
    send_due_emails(lambda: after(0, 4))
    close_table(closure=closure, actor=house.crew.sid, now=after(1))
    assert codes(house) == []


def test_an_officer_who_is_told_at_the_very_closing_was_not_told_before(house: House) -> None:
    table = house.open_table(rules=SKYCITY, limits=USUAL)
    close_in_emergency(
        table=table, players_present=True, streak_in_progress=False, reason="Fire.", actor=house.crew.sid, now=after(0)
    )
    assert codes(house) == ["CLOSE-OFFICER"]


# --- Above the maximum ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at_second", "wager_id", "found"),
    [(35, "over", ["SETTLE-CLIP"]), (3_600, "over", ["LIMIT-OVER-MAX"]), (35, "other", ["LIMIT-OVER-MAX"])],
    ids=["found-before", "found-later", "another-wager"],
)
def test_a_wager_above_the_maximum_stands_unless_a_record_shows_that_it_was_found_in_time(
    house: House, table: Table, at_second: int, wager_id: str, found: list[str]
) -> None:
    """NSW 4.3: $600 on Small at a table of $500, paid $1,200 in all; clipped, $500 wins and $100 goes back: $1,100."""
    house.play((1, 2, 4), wager("small", 60_000, 120_000, id="over"))
    assert codes(house) == ["LIMIT-OVER-MAX"]
    said = ConductReport(kind="wager-refusal", grounds="limits", at=after(seconds=at_second), seat=4, wagers=[wager_id])
    act = record_conduct(table=table, report=said, actor=house.crew.sid, now=after(60 * 24))
    assert codes(house) == found
    finding = Finding.objects.current().get()
    if found == ["SETTLE-CLIP"]:
        assert (finding.required_cents, finding.found_cents, finding.clause) == (110_000, 120_000, "4.3")
        assert act.entry_index in finding.evidence
    else:
        assert finding.required_cents is None


# --- Refused wagers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "grounds", "at_second", "found"),
    [
        (NSW, "other", 30, []),
        (NSW, "other", 31, ["WAGER-REFUSED"]),
        (SKYCITY, "touching", 30, []),
        (SKYCITY, "other", 30, ["WAGER-REFUSED"]),
    ],
)
def test_a_record_says_whether_a_wager_could_be_refused(
    house: House, rules: str, grounds: str, at_second: int, found: list[str]
) -> None:
    """NSW 9.11, SkyCity 8.b. Betting closes at 30 s. The record is made after the round was audited."""
    table = house.open_table(rules=rules, limits=USUAL)
    house.play((1, 2, 4), wager("small", 1_000, 1_000, id="w-1", verdict="refused"))
    assert codes(house) == ["WAGER-REFUSED-UNPROVEN"]
    said = ConductReport(kind="wager-refusal", grounds=grounds, at=after(seconds=at_second), seat=4, wagers=["w-1"])
    record_conduct(table=table, report=said, actor=house.crew.sid, now=after(60 * 24))
    assert codes(house) == found


# --- Warnings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "warned_minutes_before", "found"),
    [("p-1", 1, True), ("p-2", 1, False), ("p-1", 24 * 60, False)],
    ids=["told-before", "somebody-else", "another-gaming-day"],
)
def test_a_wager_under_the_minimum_after_a_recorded_warning_should_have_gone_back(
    house: House, player: str, warned_minutes_before: int, found: bool
) -> None:
    """SkyCity 8.d: settled once and warned; the next one is handed back, and this one was kept as a loss."""
    table = house.open_table(rules=SKYCITY, limits=USUAL)
    record_table_fact(house.crew, None, GamingDayValue(cut_over="06:00"))
    under = wager("small", 200, verdict="lose", returned=0, player="p-1")
    warned_at = under.placed_at - warned_minutes_before * MINUTE
    warn_player(table=table, player=player, seat=None, warned_at=warned_at, actor=house.crew.sid, now=after(60 * 24))
    house.play((6, 6, 5), under)
    house.audit()
    kept = Finding.objects.current().filter(code="WAGER-UNDER-MIN", wager=under.id, check_name="settlement")
    assert kept.exists() is found
