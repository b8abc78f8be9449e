"""Manual records are audited like controllers' lines, and an alert of the service counts as notification."""

from datetime import datetime, timedelta

import pytest

from compliance.audit.models import BLOCK_ENTRIES, Finding
from compliance.core.web.mail.outbox import send_due_emails
from compliance.notify.alerts.mailer import escalate_due
from compliance.notify.alerts.models import Alert
from rounds.floor.fact_values import EquipmentValue
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.chips import ChipsIssued
from rounds.intake.protocol.fields import Told
from rounds.intake.protocol.table import TableOpened
from rounds.intake.tasks import consume_controller_reports
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.audit.round_builders import START
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.compliance.tables.equipment.builders import EVENING, LICENSEE, NSW, SUPERVISOR, Floor
from tests.compliance.tables.equipment.test_custody import DAY, GAMES, tried
from tests.rounds.floor.crew import record_table_fact

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


def audited(floor: Floor) -> list[str]:
    floor.house.audit()
    return sorted(Finding.objects.current().filter(casino=floor.crew.harbour).values_list("code", flat=True))


def play_at(floor: Floor, at: datetime) -> None:
    floor.house.play((1, 2, 3), later=at - START, gaming_day=at.date())


def test_dice_that_a_person_put_down_are_counted_by_the_hour(floor: Floor) -> None:
    table = floor.table(LICENSEE)
    floor.record(table, "dice-placed", lines.DicePlaced(dice="set-1", by=SUPERVISOR))
    floor.record(table, "dice-removed", lines.DiceRemoved(dice="set-1", by=SUPERVISOR), at=EVENING + 24 * HOUR)
    assert audited(floor) == []
    later = EVENING + 30 * HOUR
    floor.record(table, "dice-placed", lines.DicePlaced(dice="set-2", by=SUPERVISOR), at=later)
    floor.report("dice-removed", lines.DiceRemoved(dice="set-2"), at=later + 24 * HOUR + SECOND)
    assert audited(floor) == ["DICE-24H"]


def test_an_opening_rests_on_whoever_tried_the_equipment(floor: Floor) -> None:
    """One item inspected by a person, the other by nobody. The person's role is checked as well."""
    table = floor.table(LICENSEE)
    record_table_fact(
        floor.crew, table, EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="automated")
    )
    floor.record(table, "inspection", tried("electrical-device", "before-opening"), by=floor.crew.gina)
    floor.record(table, "inspection", tried("automated-shaker", "before-opening"), by=floor.crew.gina)
    floor.report("table-opened", TableOpened(gaming_day=DAY), at=EVENING + HOUR)
    assert audited(floor) == []
    floor.record(table, "inspection", tried("automated-shaker", "before-opening", SUPERVISOR), at=EVENING + 2 * HOUR)
    assert audited(floor) == ["INSPECT-RANK"]
    assert GAMES.position == "games-supervisor"


def test_the_alert_counts_as_telling_the_inspector_once_it_is_sent(floor: Floor) -> None:
    """The line names no notification; the service sent its alert a second later."""
    floor.table(NSW)
    floor.lights_fail(play_ceased_at=EVENING)
    assert audited(floor) == [], "the alert is on its way"
    send_due_emails(lambda: EVENING + 2 * SECOND)
    assert audited(floor) == []


def test_an_alert_that_reaches_nobody_is_a_fault_not_told(floor: Floor) -> None:
    floor.table(NSW)
    floor.lights_fail(play_ceased_at=EVENING)
    assert audited(floor) == []
    escalate_due(lambda: EVENING + 6 * 60 * SECOND)
    assert audited(floor) == ["FAULT-NOT-TOLD"]
    send_due_emails(lambda: EVENING + 7 * 60 * SECOND)
    assert audited(floor) == [], "late is measured and shown; it was not never"


@pytest.mark.parametrize(("minutes", "found"), [(15, []), (15.01, ["FAULT-NOT-TOLD"])])
def test_a_quarter_of_an_hour_later_is_plainly_not_at_once(floor: Floor, minutes: float, found: list[str]) -> None:
    """No document has a number (N29); the service's own figure is 15 minutes."""
    floor.table(NSW)
    floor.lights_fail(play_ceased_at=EVENING)
    send_due_emails(lambda: EVENING + minutes * MINUTE)
    assert audited(floor) == found


def test_an_alert_about_history_tells_nobody_at_the_time_of_the_fault(floor: Floor) -> None:
    """The alert is sent three days later, so only the report's own statement counts. Rounds in between are not
    flagged."""
    floor.table(NSW)
    days_later = EVENING + timedelta(days=3)
    floor.consume(EVENING)
    fault = lines.Fault(fault="F-204", equipment="electrical-device", effect="not-lit", play_ceased_at=EVENING, told=())
    floor.house.report("fault", fault, at=EVENING)
    floor.house.report("fault-cleared", lines.FaultCleared(fault="F-204"), at=EVENING + 5 * MINUTE)
    play_at(floor, EVENING + 10 * MINUTE)
    assert audited(floor) == ["FAULT-NOT-TOLD"], "the service has not come to it, and cannot tell anybody in time"
    floor.consume(days_later)
    assert Alert.objects.get().raised_at == days_later
    assert audited(floor) == ["FAULT-NOT-TOLD"], "an alert is on its way, three days late"
    send_due_emails(lambda: days_later + SECOND)
    assert audited(floor) == ["FAULT-NOT-TOLD"]


def test_history_whose_report_says_that_the_inspector_was_told(floor: Floor) -> None:
    """The report states a notification after a minute; the service's e-mail three days later changes nothing."""
    floor.table(NSW)
    days_later = EVENING + timedelta(days=3)
    at_the_time = (Told(position="inspector", at=EVENING + MINUTE),)
    fault = lines.Fault(
        fault="F-204", equipment="electrical-device", effect="not-lit", play_ceased_at=EVENING, told=at_the_time
    )
    floor.house.report("fault", fault, at=EVENING)
    floor.house.report("fault-cleared", lines.FaultCleared(fault="F-204"), at=EVENING + 5 * MINUTE)
    play_at(floor, EVENING + 10 * MINUTE)
    floor.consume(days_later)
    send_due_emails(lambda: days_later + SECOND)
    assert audited(floor) == []


@pytest.mark.parametrize("told_after", [3, 3.01])
def test_play_before_the_service_told_the_inspector(floor: Floor, told_after: float) -> None:
    """Repaired after two minutes; a round begins after three, in the next block of the log; the e-mail is sent
    later. That is not the table's doing: a cleared fault lets play resume."""
    floor.table(NSW)
    floor.lights_fail(play_ceased_at=EVENING)
    floor.lights_mended(at=EVENING + 2 * MINUTE)
    fill_up_to(floor.house, BLOCK_ENTRIES)
    play_at(floor, EVENING + 3 * MINUTE)
    assert audited(floor) == [], "the alert is on its way"
    send_due_emails(lambda: EVENING + told_after * MINUTE)
    assert audited(floor) == []


def test_whichever_told_the_inspector_first(floor: Floor) -> None:
    """The report states ten minutes (a telephone call); the service's e-mail was sent after one."""
    floor.table(NSW)
    floor.lights_fail(play_ceased_at=EVENING, told=(Told(position="inspector", at=EVENING + 10 * MINUTE),))
    floor.lights_mended(at=EVENING + 2 * MINUTE)
    play_at(floor, EVENING + 5 * MINUTE)
    assert audited(floor) == ["FAULT-PLAY"]
    send_due_emails(lambda: EVENING + MINUTE)
    assert audited(floor) == []


def test_a_repair_that_a_person_recorded_frees_the_table(floor: Floor) -> None:
    table = floor.table(NSW)
    floor.lights_fail(play_ceased_at=EVENING)
    send_due_emails(lambda: EVENING + SECOND)
    floor.record(table, "fault-cleared", lines.FaultCleared(fault="F-204"), at=EVENING + HOUR)
    floor.house.play((4, 5, 6))
    assert "FAULT-PLAY" not in audited(floor)


def test_the_log_verifies_with_what_people_recorded(committed_floor: Floor) -> None:
    floor = committed_floor
    table = floor.table(LICENSEE)
    floor.record(table, "dice-placed", lines.DicePlaced(dice="set-1", sealed=True, by=SUPERVISOR))
    floor.record(table, "inspection", tried("electrical-device", "before-opening"))
    floor.record(table, "chips-issued", ChipsIssued(set="T3", colour="blue", value=500, chips=40, seat=4))
    consume_controller_reports()
    floor.house.audit()
    result = verify_log("harbour")
    assert result.is_intact, result.first_issue
