"""From the fault to the return to play: what stops, who is alerted, who may sign, and in which order."""

import re
from datetime import timedelta

import pytest

from compliance.core.accounts.models import User
from compliance.core.web.mail.outbox import send_due_emails
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import acknowledge_alert
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.equipment.errors import (
    MendedAlready,
    NotAtTable,
    NotFloorStaff,
    NotMended,
    PlayNotStopped,
    TimeInFuture,
)
from compliance.tables.equipment.models import ManualLine, ReturnToPlay
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.selectors import stopped_tables
from compliance.tables.equipment.services.floor_records import return_to_play
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.table import Correction
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import post_anyway
from tests.compliance.core.web.mail.mail_server import Mailbox
from tests.compliance.tables.equipment.builders import EVENING, LICENSEE, MBS, NSW, RWS, SKYCITY, SUPERVISOR, Floor

MINUTE = timedelta(minutes=1)
FLOOR = "/casinos/harbour/floor/"
EQUIPMENT = "/casinos/harbour/equipment/"


def kinds() -> list[str]:
    return [entry.kind for entry in read_entries("harbour", 0, size_of("harbour"))]


def test_at_an_nsw_table_play_stops_and_the_inspector_is_told_once(floor: Floor) -> None:
    floor.table(NSW)
    fault = floor.lights_fail()
    consume_equipment(lambda: EVENING)
    assert (fault.stops_play, fault.clause, fault.state) == (True, "8.8", "failing")
    alert = Alert.objects.get()
    assert alert.to == ["inspector"]
    assert (alert.clause, alert.table, alert.duty) == ("8.8", "sb-1", "equipment-fault")
    assert (alert.about_log, alert.about_index, alert.entry_index) == ("harbour", fault.index, fault.alert_index)
    assert (alert.fact_at, alert.raised_at) == (EVENING, EVENING + timedelta(seconds=1))
    assert alert.statement == "Table SB-1: Electrical device, not lit. Play is stopped until it is mended."
    assert list(stopped_tables("harbour")) == ["sb-1"]


@pytest.mark.parametrize(
    ("rules", "stops", "told"),
    [
        (NSW, True, ["inspector"]),
        (LICENSEE, True, None),
        (SKYCITY, False, None),
        (RWS, False, None),
        (MBS, False, None),
    ],
)
def test_what_follows_from_a_fault_is_what_the_rules_of_the_table_say(
    rules: str, stops: bool, told: list[str] | None, floor: Floor
) -> None:
    floor.table(rules)
    assert floor.lights_fail().stops_play is stops
    alert = Alert.objects.first()
    assert (alert.to if alert else None) == told


def test_a_tumbler_that_fails_and_a_table_without_rules_stop_nothing(floor: Floor) -> None:
    floor.table(NSW)
    assert floor.lights_fail(equipment="tumbler", effect="failed").stops_play is False
    assert Alert.objects.count() == 0


def test_a_fault_reported_twice_is_one_fault(floor: Floor) -> None:
    floor.table()
    floor.lights_fail()
    floor.report("fault", lines.Fault(fault="F-204", equipment="electrical-device", effect="failed"))
    assert (Fault.objects.count(), Alert.objects.count()) == (1, 1)


def test_mended_by_the_controller_it_still_rests_until_a_person_signs(floor: Floor) -> None:
    table = floor.table()
    fault = floor.lights_fail()
    sign = {"table": table, "note": "Three results entered, all lit.", "actor": floor.crew.gina}
    with pytest.raises(NotMended, match=r"F-204 .* \(8.8\)"):
        return_to_play(now=EVENING + MINUTE, **sign)  # type: ignore[arg-type]
    floor.lights_mended(at=EVENING + 20 * MINUTE)
    assert list(stopped_tables("harbour")) == ["sb-1"]
    signed = return_to_play(now=EVENING + 25 * MINUTE, **sign)  # type: ignore[arg-type]
    floor.consume()
    fault.refresh_from_db()
    assert (fault.state, fault.returned_by, fault.returned_at) == ("over", "Gina", EVENING + 25 * MINUTE)
    assert fault.returned_index == signed.entry_index
    assert signed.faults == [fault.index]
    assert stopped_tables("harbour") == {}
    with pytest.raises(PlayNotStopped):
        return_to_play(now=EVENING + 26 * MINUTE, **sign)  # type: ignore[arg-type]
    assert ReturnToPlay.objects.count() == 1


def test_only_floor_staff_of_the_casino_sign(floor: Floor) -> None:
    table = floor.table()
    floor.lights_fail()
    floor.lights_mended(at=EVENING + MINUTE)
    for person in (floor.crew.cora, floor.crew.cast.ines, floor.crew.cast.mara, floor.crew.cast.otto):
        with pytest.raises(NotFloorStaff):
            return_to_play(table=table, note="It works.", actor=person, now=EVENING + 2 * MINUTE)
    assert stopped_tables("harbour")


def test_of_two_faults_both_must_be_mended(floor: Floor) -> None:
    table = floor.table()
    floor.lights_fail(name="F-1")
    floor.lights_fail(name="F-2", equipment="touch-screen", at=EVENING + MINUTE)
    floor.lights_mended(at=EVENING + 5 * MINUTE, name="F-1")
    with pytest.raises(NotMended, match="F-2"):
        return_to_play(table=table, note="It works.", actor=floor.crew.sid, now=EVENING + 6 * MINUTE)


def test_a_person_reports_and_mends_a_fault_as_a_controller_would(floor: Floor) -> None:
    table = floor.table()
    body = lines.Fault(
        fault="P-1", equipment="electrical-device", effect="lit-wrongly", play_ceased_at=EVENING, by=SUPERVISOR
    )
    line = floor.record(table, "fault", body)
    [entry] = read_entries("harbour", line.entry_index, line.entry_index + 1)
    assert (entry.kind, entry.table, entry.controller) == ("fault", "sb-1", None)
    assert entry.content() == {
        "kind": "fault",
        "table": "sb-1",
        "at": "2026-07-12T10:00:00.000000Z",
        "body": {
            "fault": "P-1",
            "equipment": "electrical-device",
            "effect": "lit-wrongly",
            "play_ceased_at": "2026-07-12T10:00:00Z",
            "by": {"position": "casino-supervisor"},
        },
        "origin": {"how": "person", "by": {"id": floor.crew.sid.pk, "name": "Sid"}},
    }
    fault = Fault.objects.get()
    assert (fault.by, fault.stops_play) == ("Sid", True)
    assert Alert.objects.get().about_index == line.entry_index
    with pytest.raises(NotAtTable):
        floor.record(table, "fault-cleared", lines.FaultCleared(fault="P-9"))
    floor.record(table, "fault-cleared", lines.FaultCleared(fault="P-1", note="Rewired."), at=EVENING + MINUTE)
    with pytest.raises(MendedAlready):
        floor.record(table, "fault-cleared", lines.FaultCleared(fault="P-1"), at=EVENING + 2 * MINUTE)
    fault.refresh_from_db()
    assert (fault.state, fault.mended_by) == ("mended", "Sid")


def test_nothing_half_done_of_what_is_refused(floor: Floor) -> None:
    table = floor.table()
    before = kinds()
    body = lines.Fault(fault="P-1", equipment="sign", effect="power")
    with pytest.raises(TimeInFuture):
        floor.record(table, "fault", body, at=EVENING + MINUTE, now=EVENING)
    for person in (floor.crew.cast.otto, floor.crew.cast.mara, floor.crew.cora):
        with pytest.raises(NotFloorStaff):
            floor.record(table, "fault", body, by=person)
    assert (kinds(), ManualLine.objects.count(), Fault.objects.count()) == (before, 0, 0)


def test_what_a_controller_takes_back_never_was(floor: Floor) -> None:
    floor.table()
    floor.lights_fail()
    floor.report("correction", Correction(corrects=1, reason="Wrong table.", by=SUPERVISOR))
    assert stopped_tables("harbour") == {}
    assert Alert.objects.count() == 1, "that somebody was told cannot be taken back"


def page(person: User, address: str) -> str:
    response = browser_of(person).get(address)
    assert response.status_code == 200, (address, response.status_code)
    return response.content.decode()


def test_home_asks_only_people_who_can_do_something_about_a_stopped_table(floor: Floor) -> None:
    """A repair is reported by inspectors too; only floor staff sign for the return to play."""
    floor.table()
    sid, ines = floor.crew.sid, floor.crew.cast.ines
    fault = floor.lights_fail()
    where = f"{EQUIPMENT}faults/{fault.index}/"
    assert all(f'href="{where}"' in page(person, "/") for person in (sid, ines))
    floor.lights_mended(at=EVENING + MINUTE)
    assert f'href="{where}"' in page(sid, "/")
    assert f'href="{where}"' not in page(ines, "/")
    assert "Return to play</a>" not in page(ines, where)


def test_the_stop_is_seen_on_the_floor_the_table_and_at_home(floor: Floor) -> None:
    floor.table()
    sid, ines = floor.crew.sid, floor.crew.cast.ines
    assert "Play stopped" not in page(sid, FLOOR)
    fault = floor.lights_fail()
    where = f"{EQUIPMENT}faults/{fault.index}/"
    for person in (sid, ines):
        assert "Play stopped" in page(person, FLOOR)
        assert "Play is stopped at Table SB-1." in page(person, f"{FLOOR}tables/sb-1/play/")
        home = page(person, "/")
        assert "Play is stopped at sb-1" in home
        assert where in home
    assert "What this table needs now" in page(sid, f"{FLOOR}tables/sb-1/play/")
    tablet = page(sid, "/casinos/harbour/signs/tables/sb-1/")
    assert "Electrical device, not lit" in tablet
    assert "No further play until it is mended (rule 8.8)." in tablet
    assert "play is stopped" in page(sid, "/casinos/harbour/tables/sb-1/sign/")
    assert "Electrical device, not lit" in page(ines, "/")


def titles(page: str) -> list[str]:
    """Of the entries of the timeline on a page."""
    return re.findall(r"<h3>(?:<a [^>]*>)?([^<]+?)(?:</a>)?(?: <strong[^>]*>[^<]*</strong>)?</h3>", page)


def test_the_page_names_who_was_told_and_says_what_was_late(floor: Floor, mailbox: Mailbox) -> None:
    floor.table()
    fault = floor.lights_fail()
    ines, sid = floor.crew.cast.ines, floor.crew.sid
    send_due_emails(lambda: EVENING + 12 * MINUTE)
    alert = Alert.objects.get()
    acknowledge_alert(alert=alert, actor=ines, now=EVENING + 41 * MINUTE)
    shown = " ".join(page(sid, f"{EQUIPMENT}faults/{fault.index}/").split())
    assert titles(shown) == [
        "Reported",
        "Inspector must be told",
        "Told by e-mail: Ines (Inspector)",
        "Acknowledged",
    ]
    assert "First e-mail to them: 12 min 0 s; at most 15 min 0 s." in shown
    assert "Acknowledgement: 41 min 0 s. Late: at most 15 min 0 s." in shown
    of_alert = " ".join(page(sid, f"/casinos/harbour/alerts/{alert.entry_index}/").split())
    assert f"{EQUIPMENT}faults/{fault.index}/" in of_alert
    assert "41 min 0 s. Late: at most 15 min 0 s." in of_alert
    assert titles(of_alert) == ["It happened", "Raised", "E-mailed to Ines (Inspector)", "Acknowledged"]
    assert "Late" in page(sid, "/casinos/harbour/alerts/")


def test_the_pages_lead_from_the_fault_to_the_signature(floor: Floor) -> None:
    floor.table()
    fault = floor.lights_fail()
    sid = browser_of(floor.crew.sid)
    where = f"{EQUIPMENT}faults/{fault.index}/"
    assert "It is mended" in page(floor.crew.sid, where)
    address = f"{EQUIPMENT}tables/sb-1/return/"
    refused = sid.post(address, {"note": "All lit.", **sign_off(floor.crew.sid)}).content.decode()
    assert "is not mended yet (8.8)" in refused
    assert "All lit." in refused
    mended = post_anyway(
        sid,
        f"{EQUIPMENT}tables/sb-1/record/fault-cleared/",
        {"fault": "F-204", "note": "Lamp driver replaced.", "at": "2026-07-12T20:20"},
    ).content.decode()
    assert "Recorded as entry" in mended
    assert "another person signs for the return to play" in page(floor.crew.sid, where)
    own = sid.post(address, {"note": "All lit.", **sign_off(floor.crew.sid)}).content.decode()
    assert "You repaired this" in own
    assert "Return to play" in page(floor.crew.gina, where)
    gina = browser_of(floor.crew.gina)
    back = gina.post(address, {"note": "All lit.", **sign_off(floor.crew.gina)}, follow=True).content.decode()
    assert "Table SB-1 is back in play." in back
    assert "Returned to play" in page(floor.crew.cast.ines, where)
    assert "Play stopped" not in page(floor.crew.sid, FLOOR)
