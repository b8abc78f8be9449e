"""Records at a table with a time or a round that cannot be right are pointed out before they are recorded."""

from datetime import timedelta

import pytest
from time_machine import TimeMachineFixture

from compliance.notify.alerts.models import Alert
from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.projections import Fault
from rounds.intake.protocol.table import TableOpened
from rounds.ledger import entry_at
from tests.compliance.audit.house import NOW
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_anyway, shown_prediction
from tests.compliance.tables.equipment.builders import NSW, SKYCITY, Floor

FAULT = "/casinos/harbour/equipment/tables/sb-1/record/fault/"
TYPED = {"equipment": "display", "effect": "failed", "ceased": "on", "round": "", "note": ""}
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


@pytest.fixture
def evening(floor: Floor, time_machine: TimeMachineFixture) -> Floor:
    time_machine.move_to(NOW, tick=False)
    floor.table(SKYCITY)
    return floor


def doubts_about(floor: Floor, ago: timedelta, **typed: str) -> list[str]:
    """Reports a fault; what the page doubts is recorded after a second submission only."""
    sid, at = browser_of(floor.crew.sid), (NOW - ago).astimezone(floor.crew.harbour.zone)
    told, before = TYPED | {"at": f"{at:%Y-%m-%dT%H:%M}"} | typed, ManualLine.objects.count()
    page = sid.post(FAULT, told)
    prediction = shown_prediction(page)
    assert ManualLine.objects.count() == before + (0 if prediction else 1)
    assert all(doubt in page.content.decode() for doubt in prediction.doubts)
    if prediction:
        post_anyway(sid, FAULT, told)
    assert ManualLine.objects.count() == before + 1
    return list(prediction.doubts)


def test_a_time_more_than_a_day_ago(evening: Floor) -> None:
    assert doubts_about(evening, DAY) == []
    [long_ago] = doubts_about(evening, DAY + MINUTE)
    assert long_ago == "15 Nov 2026, 10:59 pm AEDT was more than a day ago. Are day and year right?"
    assert doubts_about(evening, timedelta(days=365)) == [
        "16 Nov 2025, 11:00 pm AEDT was 365 days ago. Are day and year right?"
    ]


def test_a_time_before_the_table_opened(evening: Floor) -> None:
    evening.house.report("table-opened", TableOpened(gaming_day=NOW.date()), at=NOW - 30 * MINUTE)
    assert doubts_about(evening, 30 * MINUTE) == []
    assert doubts_about(evening, 31 * MINUTE) == [
        "Table SB-1 last opened on 16 Nov 2026, 10:30 pm AEDT, after the time that you entered."
    ]


def test_a_round_that_the_table_did_not_play(evening: Floor) -> None:
    entry = entry_at("harbour", evening.house.play((1, 2, 4), wager("small", 1_000, 2_000)))
    assert entry is not None
    played = entry.line_body()["round"]
    assert doubts_about(evening, MINUTE, round=played) == []
    assert doubts_about(evening, 2 * MINUTE, round=f"{played}-x") == [
        f"No round {played}-x of Table SB-1 is on record."
    ]


def test_whether_somebody_is_notified_of_a_fault_is_said_before_and_after(
    floor: Floor, time_machine: TimeMachineFixture
) -> None:
    """NSW 8.8: the inspector is notified at once. In 2019 no rules of this table were in force."""
    time_machine.move_to(NOW, tick=False)
    floor.table(NSW)
    lights = {"equipment": "electrical-device", "effect": "not-lit"}
    sid = browser_of(floor.crew.sid)
    notified = "The inspector is notified by e-mail as soon as it is recorded (rule 8.8)."
    assert notified in sid.get(FAULT).content.decode()
    nobody = "Nobody is notified: no approved rules were in force at this table at that time."
    stops = "By the rules in force now there is no play until it is mended (rule 8.8)."
    assert doubts_about(floor, timedelta(days=2_600), **lights)[-2:] == [stops, nobody]
    assert not Alert.objects.exists()
    assert doubts_about(floor, timedelta(minutes=5), **lights) == []
    assert Alert.objects.get().to == ["inspector"]
    after = post_anyway(
        sid, FAULT, TYPED | lights | {"at": f"{NOW.astimezone(floor.crew.harbour.zone):%Y-%m-%dT%H:%M}"}
    )
    assert notified in after.content.decode()
    fault = Fault.objects.order_by("at").first()
    assert fault is not None
    page = sid.get(f"/casinos/harbour/equipment/faults/{fault.index}/").content.decode()
    assert nobody in page
    assert "Until it is mended, by the rules in force now (rule 8.8)" in page
