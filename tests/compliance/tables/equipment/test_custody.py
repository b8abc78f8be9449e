"""Time limits of dice, order of shaker swaps, required inspections: at, just under and just over each threshold."""

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.tables.equipment.errors import AlreadyAtTable, NotAtTable, ShakerSwapOrder
from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.projections import Custody, InspectionMade
from compliance.tables.equipment.todo_items import equipment_todo_items
from rounds.floor.fact_values import DiceInUseValue, EquipmentValue, Shift, ShiftsValue
from rounds.floor.models import Fact, FactSource
from rounds.floor.selectors import facts_at
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.table import TableClosed, TableOpened
from rounds.intake.tasks import consume_controller_reports
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_anyway
from tests.compliance.tables.equipment.builders import EVENING, LICENSEE, NSW, SUPERVISOR, Floor
from tests.rounds.floor.crew import OPENING, new_table, record_table_fact

DAY = date(2026, 7, 12)
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
GAMES = Staff(position="games-supervisor")
EQUIPMENT = "/casinos/harbour/equipment/"


@pytest.mark.parametrize(
    ("stayed", "words"),
    [
        (21 * HOUR, "In time"),
        (22 * HOUR - SECOND, "In time"),
        (22 * HOUR, "Due soon"),
        (24 * HOUR, "Due soon"),
        (24 * HOUR + SECOND, "Too long"),
    ],
)
def test_dice_may_stay_exactly_24_hours(stayed: timedelta, words: str, floor: Floor) -> None:
    table = floor.table(LICENSEE)
    floor.report("dice-placed", lines.DicePlaced(dice="set-0912", sealed=True))
    [dice] = floor.status(table, now=EVENING + stayed).dice()
    assert (dice.tag.label, dice.clause, dice.due_at) == (words, "1", EVENING + 24 * HOUR)


def test_24_hours_are_elapsed_time_on_a_night_when_clocks_change(floor: Floor) -> None:
    """From Saturday 8 pm in Sydney, 3 October 2026: at 9 pm on Sunday, by the clock 25 hours on, 24 have passed."""
    table = floor.table(LICENSEE)
    placed = datetime(2026, 10, 3, 10, 0, tzinfo=UTC)
    floor.report("dice-placed", lines.DicePlaced(dice="set-0912"), at=placed)
    [dice] = floor.status(table, now=placed + 24 * HOUR).dice()
    assert dice.time_left == timedelta(0)
    assert dice.due_at is not None
    assert dice.due_at.astimezone(floor.crew.harbour.zone).hour == 21


def test_where_the_rules_are_silent_dice_are_registered_without_a_clock(floor: Floor) -> None:
    table = floor.table(NSW)
    floor.report("dice-placed", lines.DicePlaced(dice="set-0912"))
    [dice] = floor.status(table, now=EVENING + 100 * HOUR).dice()
    assert (dice.time_left, dice.tag.label) == (None, "No time limit")
    assert equipment_todo_items(floor.status(table, now=EVENING + 100 * HOUR)) == []


def test_a_person_puts_dice_to_use_and_takes_them_away(floor: Floor) -> None:
    table = floor.table(LICENSEE)
    placed = lines.DicePlaced(dice="set-0912", sealed=True, by=SUPERVISOR)
    floor.record(table, "dice-placed", placed)
    consume_controller_reports()
    in_use = facts_at(table, EVENING).get(DiceInUseValue)
    assert in_use == DiceInUseValue(dice="set-0912")
    assert Fact.objects.get(name="dice").source == FactSource.RECORD
    with pytest.raises(AlreadyAtTable, match="at table sb-1 already"):
        floor.record(table, "dice-placed", placed, at=EVENING + HOUR)
    with pytest.raises(NotAtTable):
        floor.record(table, "dice-removed", lines.DiceRemoved(dice="set-1"), at=EVENING + HOUR)
    floor.record(table, "dice-removed", lines.DiceRemoved(dice="set-0912", reason="time"), at=EVENING + 3 * HOUR)
    custody = Custody.objects.get()
    assert (custody.removed_at, custody.removed_because) == (EVENING + 3 * HOUR, "time")
    assert ManualLine.objects.count() == 2


def test_the_automated_shaker_leaves_before_the_manual_one_comes(floor: Floor) -> None:
    table = floor.table(LICENSEE)
    floor.report("shaker-placed", lines.ShakerPlaced(shaker="auto-1", type="automated"))
    manual = lines.ShakerPlaced(shaker="hand-1", type="manual", by=SUPERVISOR)
    with pytest.raises(ShakerSwapOrder, match=r"automated shaker is still at this table \(6\(d\)\)"):
        floor.record(table, "shaker-placed", manual, at=EVENING + HOUR)
    gone = lines.ShakerRemoved(shaker="auto-1", type="automated", by=SUPERVISOR)
    floor.record(table, "shaker-removed", gone, at=EVENING + HOUR)
    floor.record(table, "shaker-placed", manual, at=EVENING + 2 * HOUR)
    assert [each.name for each in Custody.objects.at_table()] == ["hand-1"]


def test_what_a_controller_reports_out_of_order_is_taken_as_it_was(floor: Floor) -> None:
    floor.table(LICENSEE)
    floor.report("shaker-placed", lines.ShakerPlaced(shaker="auto-1", type="automated"))
    floor.report("shaker-placed", lines.ShakerPlaced(shaker="hand-1", type="manual"), at=EVENING + HOUR)
    assert Custody.objects.at_table().count() == 2


def tried(item: str, occasion: str, by: Staff = GAMES, *, trials: int = 3, passed: bool = True) -> lines.Inspection:
    """With the values of each trial, where it is the electrical device."""
    entered = ((1, 2, 3),) * trials if item == "electrical-device" else ()
    return lines.Inspection(item=item, occasion=occasion, trials=trials, passed=passed, by=by, entered=entered)  # type: ignore[arg-type]


def due(floor: Floor, table: object, now: datetime) -> set[tuple[str, str]]:
    return {(each.asked.item, each.asked.when) for each in floor.status(table, now=now).inspections_due()}  # type: ignore[arg-type]


def test_before_opening_device_and_shaker_are_tried_and_a_failed_trial_is_no_inspection(floor: Floor) -> None:
    table = floor.table(LICENSEE)
    record_table_fact(
        floor.crew, table, EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="automated")
    )
    both = {("electrical-device", "before-opening"), ("automated-shaker", "before-opening")}
    assert due(floor, table, EVENING) == both
    floor.report("inspection", tried("electrical-device", "before-opening", passed=False))
    assert due(floor, table, EVENING) == both
    unentered = msgspec.structs.replace(tried("electrical-device", "before-opening"), entered=())
    floor.report("inspection", unentered)
    assert due(floor, table, EVENING) == both, "no values were entered"
    floor.record(table, "inspection", tried("electrical-device", "before-opening"), by=floor.crew.gina)
    assert due(floor, table, EVENING) == {("automated-shaker", "before-opening")}
    floor.report("inspection", tried("automated-shaker", "before-opening", trials=2))
    assert due(floor, table, EVENING) == {("automated-shaker", "before-opening")}, "three times are asked for"
    floor.report("inspection", tried("automated-shaker", "before-opening"))
    assert due(floor, table, EVENING) == set()
    floor.report("table-closed", TableClosed(gaming_day=DAY, players_present=False), at=EVENING + HOUR)
    assert due(floor, table, EVENING + 2 * HOUR) == both, "it must be tried again before the next opening"
    assert InspectionMade.objects.filter(by="Gina").get().position == "games-supervisor"


def test_at_each_shift_the_automated_shaker_is_tried_again(floor: Floor) -> None:
    """Shifts begin at 6 am, 2 pm and 10 pm in Sydney; it is 8 pm."""
    table = floor.table(LICENSEE)
    begins = {"Day": "06:00", "Swing": "14:00", "Night": "22:00"}
    record_table_fact(
        floor.crew, None, ShiftsValue(shifts=tuple(Shift(name=name, starts=clock) for name, clock in begins.items()))
    )
    record_table_fact(
        floor.crew, table, EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="automated")
    )
    floor.report("table-opened", TableOpened(gaming_day=DAY), at=EVENING - 8 * HOUR)
    shaker = {("automated-shaker", "start-of-shift")}
    assert due(floor, table, EVENING) == shaker
    floor.report("inspection", tried("automated-shaker", "start-of-shift", SUPERVISOR), at=EVENING - HOUR)
    assert due(floor, table, EVENING) == set()
    night = datetime(2026, 7, 12, 12, 0, tzinfo=UTC)
    assert due(floor, table, night - SECOND) == set()
    assert due(floor, table, night) == shaker
    [need] = equipment_todo_items(floor.status(table, now=night))
    assert (str(need.table), need.label) == ("Table SB-1", "try the automated shaker at the start of the shift night")
    assert need.hint == "At least 3 times, by the casino supervisor (rule 5(b))."


def test_the_day_list_counts_down_and_leads_to_the_form(floor: Floor) -> None:
    table = floor.table(LICENSEE)
    floor.report("dice-placed", lines.DicePlaced(dice="set-0912"), at=EVENING)
    sid = browser_of(floor.crew.sid)
    board = sid.get(EQUIPMENT).content.decode()
    assert "Dice, counting down" in board
    assert "Too long" in board, "by the real clock they are there since July"
    assert f"{EQUIPMENT}tables/sb-1/record/dice-removed/" in board
    assert "set-0912" in sid.get(f"{EQUIPMENT}tables/sb-1/").content.decode()
    form = {"dice": "set-0912", "reason": "time", "at": "2026-07-13T21:00"}
    answer = post_anyway(sid, f"{EQUIPMENT}tables/sb-1/record/dice-removed/", form).content.decode()
    assert "Recorded as entry" in answer
    assert Custody.objects.get().removed_at == datetime(2026, 7, 13, 11, 0, tzinfo=UTC)
    assert floor.status(table).dice() == []
    assert "25 h 0 min" in sid.get(f"{EQUIPMENT}dice/").content.decode()


def test_the_day_list_asks_as_often_for_ten_tables_as_for_one(floor: Floor) -> None:
    floor.table(LICENSEE)
    sid = browser_of(floor.crew.sid)
    sid.get(EQUIPMENT)
    with CaptureQueriesContext(connection) as one:
        sid.get(EQUIPMENT)
    for number in range(2, 11):
        new_table(floor.crew, f"sb-{number}")
        floor.report("dice-placed", lines.DicePlaced(dice=f"set-{number}"), table=f"sb-{number}", at=OPENING)
    with CaptureQueriesContext(connection) as ten:
        sid.get(EQUIPMENT)
    assert len(ten) == len(one)


def test_only_those_who_record_are_led_to_the_form(floor: Floor) -> None:
    floor.table(NSW)
    floor.report("dice-placed", lines.DicePlaced(dice="set-0912"))
    form = f"{EQUIPMENT}tables/sb-1/record/dice-removed/"
    for person, is_led in ((floor.crew.sid, True), (floor.crew.cora, False), (floor.crew.cast.ines, False)):
        browser = browser_of(person)
        assert (form in browser.get(EQUIPMENT).content.decode()) is is_led, person
        assert browser.get(form).status_code == (200 if is_led else 404), person
